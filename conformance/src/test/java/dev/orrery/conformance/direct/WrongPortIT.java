package dev.orrery.conformance.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Clients of HTTP at the port for Direct mode. */
class WrongPortIT {
    private static final byte[] GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void areToldWhichPortAndSettingTheyWant() throws IOException {
        int port = FrameSocket.portOf(SharedServer.running());
        try (var plain = new WireConnection(port)) {
            plain.send(GET);
            assertTold(plain.rest());
        }
        try (var secure = new FrameSocket(port)) {
            assertTold(secure.send(GET).rest());
        }
    }

    private static void assertTold(String reply) {
        assertThat(reply).startsWith("HTTP/1.1 400 ").contains("--port", "gatewayMode()", "ConnectionMode.Gateway");
    }
}
