package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions that never end, more of them at once than the server has threads for queries, are ended one and all. */
class EndlessFunctionsIT {
    private static final int LOOPS = 40;
    private static final String ITEMS = "/dbs/d/colls/c/docs";

    @TempDir
    private Path folder;

    @Test
    void theServerTellsHowItIsMeanwhileAndAnswersAfterwards() throws Exception {
        try (var server = OrreryServer.startInMemory(folder);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var client = new WireClient(server);
            client.post("/dbs", "{\"id\":\"d\"}");
            client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}");
            client.post("/dbs/d/colls/c/udfs", "{\"id\":\"loop\",\"body\":\"function () { for (;;) {} }\"}");
            client.post("/dbs/d/colls/c/udfs", "{\"id\":\"one\",\"body\":\"function () { return 1; }\"}");
            client.send(ofPartition("POST", ITEMS).body("{\"id\":\"i\",\"pk\":\"p\"}"));
            var loops = IntStream.range(0, LOOPS)
                    .mapToObj(_ -> threads.submit((Callable<WireReply>) () -> client.send(query("loop"))))
                    .toList();
            for (var path : new String[] {"/_orrery/health", "/_orrery/ready", "/_orrery/metrics"}) {
                assertThat(client.get(path).status()).as(path).isEqualTo(200);
            }
            for (Future<WireReply> loop : loops) {
                assertThat(loop.get().status()).as(loop.get().body()).isEqualTo(408);
            }
            assertThat(client.send(query("one")).body()).contains("[1]");
            assertThat(client.send(ofPartition("GET", ITEMS + "/i")).status()).isEqualTo(200);
        }
    }

    private static WireRequest query(String function) {
        return ofPartition("POST", ITEMS)
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true")
                .body("{\"query\":\"SELECT VALUE udf." + function + "() FROM c\"}");
    }

    private static WireRequest ofPartition(String method, String path) {
        return WireRequest.of(method, path).header("x-ms-documentdb-partitionkey", "[\"p\"]");
    }
}
