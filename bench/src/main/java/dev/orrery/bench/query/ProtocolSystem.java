package dev.orrery.bench.query;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.CreateSystem;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A server that speaks the protocol, asked as SDKs ask it: signed, over http, on connections that stay open. */
final class ProtocolSystem implements QuerySystem, CreateSystem {
    private static final Pattern COUNT_OF_ROWS = Pattern.compile("\"_count\":\\s*(\\d+)");
    private static final Pattern ONLY_NUMBER = Pattern.compile("\"Documents\":\\s*\\[\\s*(\\d+)\\s*]");
    private static final int LOADERS = 32;
    private static final String DATABASE_LINK = "dbs/queries";
    private static final String ITEMS_LINK = DATABASE_LINK + "/colls/items";
    private static final String CREATED_LINK = DATABASE_LINK + "/colls/created";

    private final HttpContender contender;
    private final Requests requests;
    private final KeepAliveConnection connection;

    ProtocolSystem(HttpContender contender) {
        this.contender = contender;
        this.requests = new Requests(contender.plain(), contender.key());
        this.connection = new KeepAliveConnection(contender.plain());
    }

    @Override
    public String name() {
        return contender.name();
    }

    @Override
    public void load(int items) throws InterruptedException {
        connection.demand(requests.post("dbs", "", "", "{\"id\":\"queries\"}"));
        container("items");
        var threads = IntStream.range(0, LOADERS)
                .mapToObj(loader -> Thread.ofPlatform().start(() -> load(loader, items)))
                .toList();
        for (var thread : threads) {
            thread.join();
        }
        var count = connection.demand(query(Optional.empty(), "SELECT VALUE COUNT(1) FROM c"));
        if (number(ONLY_NUMBER, count.body()).filter(all -> all == items).isEmpty()) {
            throw new BenchException(name() + " has not taken all items: " + count.body());
        }
    }

    private void container(String id) {
        connection.demand(requests.post(
                "colls",
                DATABASE_LINK,
                "",
                "{\"id\":\"" + id
                        + "\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\",\"version\":2}}"));
    }

    private void load(int first, int items) {
        try (var own = new KeepAliveConnection(contender.plain())) {
            for (int number = first; number < items; number += LOADERS) {
                own.demand(create(ITEMS_LINK, number));
            }
        }
    }

    private byte[] create(String link, long number) {
        var customer = QueryItem.customer(number / QueryItem.PER_CUSTOMER);
        return requests.post("docs", link, key(customer), QueryItem.json(number));
    }

    @Override
    public Optional<Long> ask(QueryCase question) {
        var reply = connection.send(query(question.partition(), question.text()));
        return reply.status() == 200
                ? number(ONLY_NUMBER, reply.body()).or(() -> number(COUNT_OF_ROWS, reply.body()))
                : Optional.empty();
    }

    private byte[] query(Optional<String> partition, String text) {
        var headers = "Content-Type: application/query+json\r\n"
                + "x-ms-documentdb-isquery: True\r\n"
                + "x-ms-documentdb-query-enablecrosspartition: True\r\n"
                + "x-orrery-serve-raw-query: True\r\n"
                + "x-ms-max-item-count: 1000\r\n"
                + partition.map(ProtocolSystem::key).orElse("");
        return requests.post("docs", ITEMS_LINK, headers, "{\"query\":\"" + text + "\",\"parameters\":[]}");
    }

    private static Optional<Long> number(Pattern pattern, String text) {
        var found = pattern.matcher(text);
        return found.find() ? Optional.of(Long.parseLong(found.group(1))) : Optional.empty();
    }

    private static String key(String customer) {
        return "x-ms-documentdb-partitionkey: [\"" + customer + "\"]\r\n";
    }

    // ---- creates ----

    @Override
    public void prepareCreates() {
        container("created");
    }

    @Override
    public Creator openCreator() {
        var own = new KeepAliveConnection(contender.plain());
        return new Creator() {
            @Override
            public void create(long number) {
                own.demand(ProtocolSystem.this.create(CREATED_LINK, number));
            }

            @Override
            public void close() {
                own.close();
            }
        };
    }

    @Override
    public Optional<Duration> cpu() {
        return contender.server().cpu();
    }

    @Override
    public void close() {
        connection.close();
        contender.server().close();
    }
}
