package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.concurrent.atomic.AtomicInteger;

/** A database of its own with a container of orders, for one test. */
final class Shop {
    private static final AtomicInteger LAST = new AtomicInteger();

    final String database;
    private final WireClient client;

    Shop(OrreryServer server) {
        this(server, 400);
    }

    Shop(OrreryServer server, int throughput) {
        this(server, throughput, "shop" + LAST.incrementAndGet());
    }

    Shop(OrreryServer server, int throughput, String name) {
        this.database = name;
        this.client = new WireClient(server);
        expect(201, client.post("/dbs", "{\"id\":\"" + database + "\"}"));
        expect(
                201,
                client.send(WireRequest.of("POST", "/dbs/" + database + "/colls")
                        .header("x-ms-offer-throughput", Integer.toString(throughput))
                        .body("{\"id\":\"orders\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\"}}")));
    }

    /** The address of a page of the container. */
    String at(String page) {
        return "#/" + database + "/orders/" + page;
    }

    String path() {
        return "/dbs/" + database + "/colls/orders";
    }

    WireClient client() {
        return client;
    }

    /** Adds an item of a customer; {@code more} is further JSON, after a comma. */
    Shop add(String id, String customer, String more) {
        put(
                "{\"id\":\"" + id + "\",\"customer\":\"" + customer + "\"" + (more.isEmpty() ? "" : "," + more) + "}",
                customer);
        return this;
    }

    void put(String json, String customer) {
        var reply = client.send(WireRequest.of("POST", path() + "/docs")
                .header("x-ms-documentdb-partitionkey", "[\"" + customer + "\"]")
                .header("x-ms-documentdb-is-upsert", "true")
                .body(json));
        assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
    }

    WireReply read(String id, String customer) {
        return client.send(WireRequest.of("GET", path() + "/docs/" + id)
                .header("x-ms-documentdb-partitionkey", "[\"" + customer + "\"]"));
    }

    private static void expect(int status, WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    }
}
