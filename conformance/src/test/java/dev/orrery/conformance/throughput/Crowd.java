package dev.orrery.conformance.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients that write as fast as they may, each over a connection of its own: whoever is refused comes back when told to,
 * as every SDK does.
 */
final class Crowd {
    private final OrreryServer server;
    private final WireClient signer;

    Crowd(OrreryServer server) {
        this.server = server;
        this.signer = new WireClient(server);
    }

    /** What all of a crowd paid together, and the most that one of them paid for a request. */
    record Bill(double sum, double most) {}

    /** Has each of so many clients write until so many of its requests were let in. */
    Future<Bill> write(int clients, int requestsOfEach, String container) {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var running = new ArrayList<Future<List<Double>>>();
        for (int number = 0; number < clients; number++) {
            var item = "{\"id\":\"" + number + "\",\"pk\":\"a\",\"text\":\"" + "x".repeat(2_000) + "\"}";
            var upsert = WireRequest.of("POST", "/dbs/d/colls/" + container + "/docs")
                    .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                    .header("x-ms-documentdb-is-upsert", "true")
                    .body(item);
            running.add(threads.submit(() -> charges(upsert, requestsOfEach)));
        }
        return threads.submit(() -> {
            threads.shutdown();
            return bill(running);
        });
    }

    private static Bill bill(List<Future<List<Double>>> running) throws InterruptedException, ExecutionException {
        double sum = 0;
        double most = 0;
        for (var client : running) {
            for (double charge : client.get()) {
                sum += charge;
                most = Math.max(most, charge);
            }
        }
        return new Bill(sum, most);
    }

    private List<Double> charges(WireRequest request, int count) throws IOException {
        var charges = new ArrayList<Double>();
        try (var connection = new WireConnection(server.port())) {
            while (charges.size() < count) {
                connection.send(signer.bytes(request));
                var reply = connection.reply();
                double charge =
                        Double.parseDouble(reply.header("x-ms-request-charge").orElseThrow());
                if (reply.status() == 429) {
                    assertThat(charge).isZero();
                    assertThat(reply.substatus()).isEqualTo(3200);
                    Await.pause(
                            Long.parseLong(reply.header("x-ms-retry-after-ms").orElseThrow()), "it was told to wait");
                } else {
                    assertThat(reply.status()).as(reply.body()).isIn(200, 201);
                    charges.add(charge);
                }
            }
        }
        return charges;
    }
}
