package dev.orrery.bench;

import dev.orrery.gateway.auth.HttpDate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** A server that speaks the protocol, asked as SDKs ask it: signed, over http, on a connection that stays open. */
final class ProtocolSystem implements QuerySystem {
    private static final Pattern COUNT_OF_ROWS = Pattern.compile("\"_count\":\\s*(\\d+)");
    private static final Pattern ONLY_NUMBER = Pattern.compile("\"Documents\":\\s*\\[\\s*(\\d+)\\s*]");
    private static final int AT_ONCE = 32;
    private static final String DATABASE = "queries";
    private static final String ITEMS_LINK = "dbs/" + DATABASE + "/colls/items";

    private final HttpContender contender;
    private final HttpClient client = HttpClient.newHttpClient();

    ProtocolSystem(HttpContender contender) {
        this.contender = contender;
    }

    @Override
    public String name() {
        return contender.name();
    }

    @Override
    public void load(int items) throws InterruptedException {
        demand(send("dbs", "", "/dbs", "{\"id\":\"" + DATABASE + "\"}"));
        demand(send(
                "colls",
                "dbs/" + DATABASE,
                "/dbs/" + DATABASE + "/colls",
                "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\",\"version\":2}}"));
        for (int number = 0; number < items; number += AT_ONCE) {
            var underWay = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int one = number; one < Math.min(items, number + AT_ONCE); one++) {
                var request = request("docs", ITEMS_LINK, "/" + ITEMS_LINK + "/docs", QueryItem.json(one))
                        .header("x-ms-documentdb-partitionkey", key(QueryItem.customer(one / QueryItem.PER_CUSTOMER)));
                underWay.add(client.sendAsync(request.build(), BodyHandlers.ofString()));
            }
            underWay.forEach(reply -> demand(reply.join()));
        }
    }

    @Override
    public Optional<Long> ask(QueryCase question) throws InterruptedException {
        var request = request(
                        "docs",
                        ITEMS_LINK,
                        "/" + ITEMS_LINK + "/docs",
                        "{\"query\":\"" + question.text() + "\",\"parameters\":[]}")
                .setHeader("Content-Type", "application/query+json")
                .header("x-ms-documentdb-isquery", "True")
                .header("x-ms-documentdb-query-enablecrosspartition", "True")
                .header("x-ms-max-item-count", "1000");
        question.partition().ifPresent(customer -> request.header("x-ms-documentdb-partitionkey", key(customer)));
        var reply = send(request);
        if (reply.statusCode() != 200) {
            return Optional.empty();
        }
        var number = ONLY_NUMBER.matcher(reply.body());
        if (number.find()) {
            return Optional.of(Long.parseLong(number.group(1)));
        }
        var rows = COUNT_OF_ROWS.matcher(reply.body());
        return rows.find() ? Optional.of(Long.parseLong(rows.group(1))) : Optional.empty();
    }

    @Override
    public void close() {
        client.close();
        contender.server().close();
    }

    private static String key(String customer) {
        return "[\"" + customer + "\"]";
    }

    private HttpResponse<String> send(String kind, String link, String path, String body) throws InterruptedException {
        return send(request(kind, link, path, body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException _) {
            return sendAgain(request);
        }
    }

    /** Servers close connections that were idle for a while; a request may cross the news on its way. */
    private HttpResponse<String> sendAgain(HttpRequest.Builder request) throws InterruptedException {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new BenchException(name() + " does not answer: " + e, e);
        }
    }

    private HttpRequest.Builder request(String kind, String link, String path, String body) {
        var date = HttpDate.format(Instant.now());
        var authorization = new Requests(contender.plain(), contender.key()).authorization("POST", kind, link, date);
        return HttpRequest.newBuilder(URI.create("http://" + contender.plain().host() + path))
                .POST(BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("x-ms-version", "2020-07-15")
                .header("x-ms-date", date)
                .header("authorization", authorization);
    }

    private static void demand(HttpResponse<String> reply) {
        if (reply.statusCode() > 299) {
            throw new BenchException(reply.uri() + " was answered with " + reply.body());
        }
    }
}
