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
            var query = Map.of("x-ms-documentdb-isquery", "true", "content-type", "application/query+json");
            send(client, "POST", CONTAINER, "docs", "docs", "{\"query\":\"SELECT * FROM c\"}", query);
            send(client, "GET", CONTAINER, "pkranges", "pkranges", "", Map.of());
        } catch (IOException problem) {
            throw new IllegalStateException("The warm-up failed", problem);
        }
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
