package dev.orrery.conformance.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of HTTP at the port for Direct mode. */
class WrongPortIT {
    private static final byte[] GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @Test
    void areToldWhichPortAndSettingTheyWant() throws IOException, GeneralSecurityException {
        try (var server = OrreryServer.startInMemory(folder)) {
            int port = server.log().lines().stream()
                    .filter(line -> line.contains("direct mode port"))
                    .map(line -> Integer.valueOf(line.strip().replaceAll(".* ", "")))
                    .findFirst()
                    .orElseThrow();
            try (var plain = new WireConnection(port)) {
                plain.send(GET);
                assertTold(plain.rest());
            }
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustingAll()}, null);
            try (var secure = context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                secure.getOutputStream().write(GET);
                assertTold(new String(secure.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            }
        }
    }

    private static void assertTold(String reply) {
        assertThat(reply).startsWith("HTTP/1.1 400 ").contains("--port", "gatewayMode()", "ConnectionMode.Gateway");
    }

    private static final class TrustingAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
