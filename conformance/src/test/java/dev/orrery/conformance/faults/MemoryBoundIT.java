package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However long it is under load, a server takes no more memory than docs/operations.md says. */
class MemoryBoundIT {
    private static final int BATCHES = Integer.getInteger("soak.batches", 400);
    private static final int ITEMS_OF_BATCH = 50;
    private static final int HEAP_MEGABYTES = 96;
    private static final int CACHE_MEGABYTES = 32;

    /** What docs/operations.md says of writes with a small cache, and of everything else. */
    private static final int WRITE_MEGABYTES = 288;

    private static final int REST_MEGABYTES = 250;

    @TempDir
    private Path folder;

    @Test
    void theMostThatItEverTookIsWithinTheSumOfItsParts() throws IOException {
        assumeTrue(
                Files.exists(Path.of("/proc/self/status")), "Only Linux tells how much memory a process took at most");
        try (var server = OrreryServer.startWith(
                "-Xmx" + HEAP_MEGABYTES + "m", folder.resolve("data"), "--cache", Integer.toString(CACHE_MEGABYTES))) {
            var client = new WireClient(server);
            assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
            assertThat(client.post(
                                    "/dbs/d/colls",
                                    "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}")
                            .status())
                    .isEqualTo(201);
            for (int batch = 0; batch < BATCHES; batch++) {
                write(client, batch);
                read(client, batch / 2);
            }
            long most = mostMegabytes(server.pid());
            System.out.println("MemoryBoundIT: at most " + most + " MB");
            assertThat(most).isLessThan(HEAP_MEGABYTES + CACHE_MEGABYTES + WRITE_MEGABYTES + REST_MEGABYTES);
        }
    }

    private static void write(WireClient client, int batch) {
        var operations = IntStream.range(0, ITEMS_OF_BATCH)
                .mapToObj(item ->
                        ("{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"%d\",\"pk\":\"p%d\",\"n\":%d,"
                                        + "\"tags\":[%d,\"t%d\"],\"text\":\"%s\"}}")
                                .formatted(
                                        item,
                                        batch,
                                        batch,
                                        item,
                                        batch,
                                        Integer.toString(batch * item).repeat(300)))
                .collect(Collectors.joining(",", "[", "]"));
        var reply = client.send(WireRequest.of("POST", "/dbs/d/colls/c/docs")
                .header("x-ms-cosmos-is-batch-request", "true")
                .header("x-ms-cosmos-batch-atomic", "true")
                .header("x-ms-documentdb-partitionkey", "[\"p" + batch + "\"]")
                .body(operations));
        assertThat(reply.status()).isEqualTo(200);
    }

    private static void read(WireClient client, int batch) {
        var query = WireRequest.of("POST", "/dbs/d/colls/c/docs")
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true")
                .header("x-ms-documentdb-partitionkey", "[\"p" + batch + "\"]")
                .body("{\"query\":\"SELECT * FROM c ORDER BY c.text\"}");
        assertThat(client.send(query).status()).isEqualTo(200);
    }

    /** The peak of what a process had in memory. */
    private static long mostMegabytes(long pid) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
