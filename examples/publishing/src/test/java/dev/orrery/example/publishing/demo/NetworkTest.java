package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final Duration APART = Duration.ofMillis(60);

    @Test
    void whoAsksAnotherRegionWaitsAtLeastForTheWay() throws IOException {
        try (var network = new Network(APART);
                var server = echo()) {
            network.place(server.getLocalPort(), Region.WEST_US);
            assertThat(nanosToEcho(network.open(Region.NORTH_EUROPE), server.getLocalPort()))
                    .isGreaterThanOrEqualTo(APART.toNanos());
        }
    }

    @Test
    void whatIsSentArrivesWholeInBothDirections() throws IOException {
        try (var network = new Network(APART);
                var server = echo()) {
            network.place(server.getLocalPort(), Region.WEST_US);
            for (var here : Region.values()) {
                assertThat(nanosToEcho(network.open(here), server.getLocalPort()))
                        .isPositive();
            }
        }
    }

    @Test
    void aNameLeadsToWhoeverAnswers() throws IOException {
        int gone;
        try (var server = echo()) {
            gone = server.getLocalPort();
        }
        try (var network = new Network(APART);
                var server = echo()) {
            network.place(gone, Region.WEST_US);
            network.place(server.getLocalPort(), Region.NORTH_EUROPE);
            network.name(1, List.of(gone, server.getLocalPort()));
            assertThat(nanosToEcho(network.open(Region.WEST_US), 1)).isPositive();
        }
    }

    @Test
    void whoAsksAServerThatIsGoneIsToldSo() throws IOException {
        int port;
        try (var gone = echo()) {
            port = gone.getLocalPort();
        }
        try (var network = new Network(APART);
                var client = connect(network.open(Region.WEST_US), port)) {
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 502 ");
        }
    }

    /** How long a long message and its echo take. */
    private static long nanosToEcho(InetSocketAddress gate, int port) throws IOException {
        try (var client = connect(gate, port)) {
            var greeting = "HTTP/1.1 200 Connected\r\n\r\n";
            assertThat(client.getInputStream().readNBytes(greeting.length()))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(greeting);
            var message = "0123456789".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            long begin = System.nanoTime();
            client.getOutputStream().write(message);
            assertThat(client.getInputStream().readNBytes(message.length)).isEqualTo(message);
            return System.nanoTime() - begin;
        }
    }

    private static Socket connect(InetSocketAddress gate, int port) throws IOException {
        var client = new Socket(gate.getAddress(), gate.getPort());
        client.getOutputStream()
                .write("CONNECT localhost:%d HTTP/1.1\r\nhost: localhost\r\n\r\n"
                        .formatted(port)
                        .getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    /** Sends back whatever comes. */
    private static ServerSocket echo() throws IOException {
        var server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try (var client = server.accept()) {
                    client.getInputStream().transferTo(client.getOutputStream());
                } catch (IOException _) {
                    return;
                }
            }
        });
        return server;
    }
}
