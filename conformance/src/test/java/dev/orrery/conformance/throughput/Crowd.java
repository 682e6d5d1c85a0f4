package dev.orrery.conformance.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Clients that write as fast as they may, each over a connection of its own: whoever is refused comes back when told to,
 * as every SDK does.
 */
final class Crowd {
    private final OrreryServer server;
    private final WireClient signer;
    private final List<Callable<Double>> clients = new ArrayList<>();
    private volatile long beginNanos;
    private volatile long endNanos;

    Crowd(OrreryServer server) {
        this.server = server;
        this.signer = new WireClient(server);
    }

    /** Adds clients of a container, each with the same headers besides. */
    Crowd with(int count, String container, WireRequest.Header... headers) {
        for (int number = 0; number < count; number++) {
            var item = "{\"id\":\"" + clients.size() + "\",\"pk\":\"a\",\"text\":\"" + "x".repeat(2_000) + "\"}";
            var request = WireRequest.of("POST", "/dbs/d/colls/" + container + "/docs")
                    .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                    .header("x-ms-documentdb-is-upsert", "true")
                    .body(item);
            for (var header : headers) {
                request = request.header(header.name(), header.value());
            }
            var upsert = request;
            clients.add(() -> run(upsert));
        }
        return this;
    }

    /** Runs them all, and tells what each was charged a second after the time to warm up. */
    List<Double> run(Duration warmUp, Duration measured) {
        beginNanos = System.nanoTime() + warmUp.toNanos();
        endNanos = beginNanos + measured.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var rates = new ArrayList<Double>();
            for (var used : threads.invokeAll(clients)) {
                rates.add(used.get() * 1e9 / measured.toNanos());
            }
            return rates;
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private double run(WireRequest request) throws IOException, InterruptedException {
        double used = 0;
        try (var connection = new WireConnection(server.port())) {
            while (System.nanoTime() < endNanos) {
                connection.send(signer.bytes(request));
                var reply = connection.reply();
                long now = System.nanoTime();
                double charge =
                        Double.parseDouble(reply.header("x-ms-request-charge").orElseThrow());
                if (reply.status() == 429) {
                    assertThat(charge).isZero();
                    assertThat(reply.substatus()).isEqualTo(3200);
                    Thread.sleep(
                            Long.parseLong(reply.header("x-ms-retry-after-ms").orElseThrow()));
                    continue;
                }
                assertThat(reply.status()).as(reply.body()).isIn(200, 201);
                if (now >= beginNanos && now < endNanos) {
                    used += charge;
                }
            }
        }
        return used;
    }
}
