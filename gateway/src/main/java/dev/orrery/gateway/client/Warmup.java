package dev.orrery.gateway.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/**
 * A few requests as SDKs send them. The build runs them once, so that the class cache knows what a server needs from its
 * first request on.
 */
public final class Warmup {
    private static final String CONTAINER = "dbs/d/colls/c";
    private static final Map<String, String> KEY = Map.of("x-ms-documentdb-partitionkey", "[\"1\"]");

    /** Reads, queries and writes, as most do. */
    private static final String PROCEDURE = "function p(id) { const items = getContext().getCollection();"
        + " items.readDocument(`${items.getAltLink()}/docs/${id}`, (error, item) => { if (error) throw error;"
        + " items.queryDocuments(items.getSelfLink(), 'SELECT * FROM c', (error, rows) => { item.count = rows.length;"
        + " items.replaceDocument(item._self, item, (error, item) => getContext().getResponse().setBody(item)); });"
        + " }); }";

    private final URI endpoint;
    private final String key;
    private final InstantSource clock;

    public Warmup(int port, String key, InstantSource clock) {
        this.endpoint = URI.create("http://localhost:" + port);
        this.key = key;
        this.clock = clock;
    }

    public void run() throws InterruptedException {
        try (var client = new AccountClient(endpoint, key, clock)) {
            send(client, "GET", "", "", "", "", Map.of());
            send(client, "POST", "", "dbs", "dbs", "{\"id\":\"d\"}", Map.of());
            var container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"]}}";
            send(client, "POST", "dbs/d", "colls", "colls", container, Map.of());
            var upsert = Map.of("x-ms-documentdb-partitionkey", "[\"1\"]", "x-ms-documentdb-is-upsert", "true");
            for (int number = 0; number < 20; number++) {
                send(client, "POST", CONTAINER, "docs", "docs", "{\"id\":\"1\"}", upsert);
                send(client, "GET", CONTAINER + "/docs/1", "", "docs", "", KEY);
            }
            var query = Map.of(
                    "x-ms-documentdb-isquery", "true",
                    "x-ms-documentdb-query-enablecrosspartition", "true",
                    "content-type", "application/query+json");
            send(client, "POST", CONTAINER, "docs", "docs", "{\"query\":\"SELECT * FROM c\"}", query);
            send(client, "GET", CONTAINER, "pkranges", "pkranges", "", Map.of());
            runScripts(client, query);
        } catch (IOException problem) {
            throw new IllegalStateException("The warm-up failed", problem);
        }
    }

    /** Scripts need a language of their own, which takes longer to get ready than all the rest. */
    private static void runScripts(AccountClient client, Map<String, String> query)
            throws IOException, InterruptedException {
        send(client, "POST", CONTAINER, "sprocs", "sprocs", script("p", PROCEDURE), Map.of());
        var trigger = "{\"id\":\"t\",\"body\":\"function () {}\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}";
        send(client, "POST", CONTAINER, "triggers", "triggers", trigger, Map.of());
        send(client, "POST", CONTAINER, "udfs", "udfs", script("f", "(text) => `${text}!`"), Map.of());
        var withTrigger = Map.of(
                "x-ms-documentdb-partitionkey", "[\"1\"]",
                "x-ms-documentdb-is-upsert", "true",
                "x-ms-documentdb-pre-trigger-include", "t");
        for (int number = 0; number < 20; number++) {
            send(client, "POST", CONTAINER + "/sprocs/p", "", "sprocs", "[\"1\"]", KEY);
            send(client, "POST", CONTAINER, "docs", "docs", "{\"id\":\"1\"}", withTrigger);
        }
        send(client, "POST", CONTAINER, "docs", "docs", "{\"query\":\"SELECT udf.f(c.id) FROM c\"}", query);
    }

    private static String script(String id, String body) {
        return "{\"id\":\"" + id + "\",\"body\":\"" + body + "\"}";
    }

    private static void send(
            AccountClient client,
            String method,
            String link,
            String feed,
            String type,
            String body,
            Map<String, String> headers)
            throws IOException, InterruptedException {
        var reply = client.send(method, link, feed, type, body.getBytes(StandardCharsets.UTF_8), headers);
        if (reply.statusCode() >= 300) {
            throw new IllegalStateException("The warm-up's " + method + " " + link + "/" + feed
                    + " was answered with status " + reply.statusCode());
        }
    }
}
