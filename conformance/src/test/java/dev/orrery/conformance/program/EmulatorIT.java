package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.wait.strategy.Wait;

/** What tools for the official emulators ask for, look at and wait for. */
class EmulatorIT {
    private static final String KEY = "ZW11bGF0b3Iga2V5IGdpdmVuIGJ5IHRoZSBlbnZpcm9ubWVudCB2YXJpYWJsZQ==";

    @TempDir
    Path folder;

    @Test
    void probesAreAnsweredWithoutAKey() throws IOException {
        int healthPort = OrreryServer.freePort();
        try (var server =
                OrreryServer.startInMemory(folder, "--emulator", "--health-port", Integer.toString(healthPort))) {
            for (var path : List.of("/", "/alive", "/ready", "/status")) {
                assertThat(get(healthPort, path).status()).as(path).isEqualTo(200);
            }
            assertThat(get(healthPort, "/dbs").status()).isEqualTo(404);
            assertThat(get(server.port(), "/").status()).isEqualTo(200);
            assertThat(get(server.port(), "/").body()).contains("writableLocations");
            assertThat(get(server.port(), "/dbs").status()).isEqualTo(401);
            assertThat(get(server.port(), "/_explorer/emulator.pem").body()).startsWith("-----BEGIN CERTIFICATE-----");
            assertThat(new WireClient(server).post("/dbs", "{\"id\":\"d\"}").status())
                    .isEqualTo(201);
        }
    }

    @Test
    void withoutTheOptionTheAccountNeedsAKey() {
        try (var server = OrreryServer.startInMemory(folder)) {
            assertThat(get(server.port(), "/").status()).isEqualTo(401);
        }
    }

    @Test
    void theLinesThatTestToolsWaitForAreTheLast() throws IOException {
        var output = started(Map.of());
        assertThat(output).contains("Now listening on: https://").endsWith("Started\r\n");
        try (var container = new StartedContainer(Map.of(), output)) {
            container.awaitStart(); // It fails when no line of the output is the one that the module waits for.
        }
    }

    @Test
    void testcontainersWaitsForTheProbes() {
        int healthPort = OrreryServer.freePort();
        try (var server = OrreryServer.startInMemory(
                        folder, "--emulator", "--health-port", Integer.toString(healthPort));
                var container = new StartedContainer(Map.of(8080, healthPort, 8081, server.port()), "")) {
            for (var path : List.of("/ready", "/alive", "/status")) {
                container.waitingFor(Wait.forHttp(path).forPort(8080));
                container.awaitStart();
            }
            container.waitingFor(
                    Wait.forHttps("/_explorer/emulator.pem").forPort(8081).allowInsecure());
            container.awaitStart();
        }
    }

    @Test
    void testcontainersFindsTheCertificateAndTrustsIt() throws Exception {
        try (var server = OrreryServer.startInMemory(
                        folder, "--emulator", "--health-port", Integer.toString(OrreryServer.freePort()));
                var container = new StartedContainer(Map.of(8081, server.port()), "")) {
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(container.buildNewKeyStore());
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            try (var client = HttpClient.newBuilder().sslContext(context).build()) {
                var account = HttpRequest.newBuilder(URI.create(container.getEmulatorEndpoint() + "/"));
                assertThat(client.send(account.build(), BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
            assertThat(container.getEmulatorKey()).isEqualTo(OrreryServer.WELL_KNOWN_KEY);
        }
    }

    @Test
    void theEnvironmentOfTheEmulatorsIsHeeded() throws IOException {
        var output = started(Map.of(
                "AZURE_COSMOS_EMULATOR_PARTITION_COUNT", "3",
                "AZURE_COSMOS_EMULATOR_ENABLE_DATA_PERSISTENCE", "true",
                "AZURE_COSMOS_EMULATOR_KEY", KEY,
                "AZURE_COSMOS_EMULATOR_NONSENSE", "1",
                "LOG_LEVEL", "debug"));
        assertThat(output)
                .contains("AZURE_COSMOS_EMULATOR_PARTITION_COUNT has no effect")
                .contains("AZURE_COSMOS_EMULATOR_NONSENSE is set, and has no effect here")
                .contains("<your key>")
                .doesNotContain(KEY);
        assertThat(folder.resolve("orrery-data")).as("persistence").isDirectory();
    }

    /** A service of a build gets its settings by variables only, and neighbours ask it under its name. */
    @Test
    void theEnvironmentNamesWhatTheServerIsCalled() {
        var variables = Map.of(
                "ORRERY_CERTIFICATE_NAMES",
                "cosmos, db.example",
                "GATEWAY_PUBLIC_ENDPOINT",
                "gateway",
                "PROTOCOL",
                "http");
        var health = List.of("--emulator", "--health-port", Integer.toString(OrreryServer.freePort()));
        try (var server = OrreryServer.startInMemoryWith(variables, folder, health.toArray(String[]::new))) {
            var client = new WireClient(server);
            for (var host : List.of("cosmos:8081", "db.example", "gateway")) {
                var account = client.send(WireRequest.of("GET", "/").header("Host", host));
                assertThat(account.status()).as(host).isEqualTo(200);
                assertThat(account.json()
                                .path("writableLocations")
                                .path(0)
                                .path("databaseAccountEndpoint")
                                .textValue())
                        .isEqualTo("http://gateway:" + server.port() + "/");
            }
            var stranger = client.send(WireRequest.of("GET", "/dbs").header("Host", "evil"));
            assertThat(stranger.status()).isEqualTo(421);
            assertThat(stranger.body()).contains("ORRERY_CERTIFICATE_NAMES=evil");
        }
    }

    /** Starts a server as a container would, and stops it when it says that it has started; all that it printed. */
    private String started(Map<String, String> environment) throws IOException {
        var launcher = Path.of(System.getProperty("server.launcher", "../orrery"))
                .toAbsolutePath()
                .normalize();
        var builder = new ProcessBuilder(
                        launcher.toString(), "start", "--emulator", "--port", "0", "--health-port", "0")
                .directory(folder.toFile())
                .redirectError(folder.resolve("log").toFile());
        builder.environment().put("ORRERY_NO_BUILD", "true");
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            var text = new StringBuilder();
            var in = process.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
                if (text.toString().endsWith("Started\r\n")) {
                    break;
                }
            }
            return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8) + text;
        } finally {
            process.toHandle().destroy();
            Await.end(process);
        }
    }

    private static WireReply get(int port, String path) {
        return new WireClient(port, OrreryServer.WELL_KNOWN_KEY).exchange(WireRequest.of("GET", path));
    }
}
