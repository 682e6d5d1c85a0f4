package dev.orrery.bench.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.bench.harness.Endpoint;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.SampleItem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class StreamConsumerTest {
    /** A net against hanging. */
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));

    @Test
    void anEventMayComeInSeveralChunks() throws Exception {
        var events = "data: " + SampleItem.json(SampleItem.id(0)) + "\n\ndata: " + SampleItem.json(SampleItem.id(1))
                + "\n\n";
        int within = events.indexOf("00000", SampleItem.BYTES); // Within the second id.
        var chunks = List.of(events.substring(0, within), events.substring(within));
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answered = answer(server, "200 OK\r\nTransfer-Encoding: chunked", chunks);
            var deliveries = new Deliveries(0, 2);
            var opened = StreamConsumer.open(contender(server), "dbs/d/colls/c");
            try (var _ = answered.join();
                    var consumer = opened.orElseThrow()) {
                consumer.start(deliveries);
                deliveries.awaitAll(PATIENCE);
            }
        }
    }

    @Test
    void aServerWithoutStreamsIsNoProblem() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answered = answer(server, "404 Not Found\r\nContent-Length: 0", List.of());
            assertThat(StreamConsumer.open(contender(server), "dbs/d/colls/c")).isEmpty();
            answered.join().close();
        }
    }

    private static HttpContender contender(ServerSocket server) {
        var endpoint = new Endpoint(server.getLocalPort(), false);
        return new HttpContender("fake", null, "a2V5", endpoint, endpoint, false);
    }

    /** Reads a request, and leaves the connection open behind the answer. */
    private static CompletableFuture<Socket> answer(ServerSocket server, String head, List<String> chunks) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        var socket = server.accept();
                        var in = new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                        var request = new ArrayList<String>();
                        for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                            request.add(line);
                        }
                        assertThat(request.getFirst()).isEqualTo("GET /dbs/d/colls/c/changes?from=now HTTP/1.1");
                        var out = new StringBuilder("HTTP/1.1 " + head + "\r\n\r\n");
                        for (var chunk : chunks) {
                            out.append(Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n");
                        }
                        socket.getOutputStream().write(out.toString().getBytes(StandardCharsets.US_ASCII));
                        return socket;
                    } catch (IOException e) {
                        throw new IllegalStateException("the fake server failed", e);
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }
}
