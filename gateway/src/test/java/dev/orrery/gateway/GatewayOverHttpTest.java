package dev.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.http.HttpServer;
import dev.orrery.gateway.http.HttpServerConfig;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The gateway and its transport together, as a client meets them. */
class GatewayOverHttpTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-15T18:19:28Z"));

    private final FakeDatabase database = new FakeDatabase();
    private final HttpServer server = HttpServer.start(
            HttpServerConfig.loopback(CLOCK, () -> 0),
            new Gateway(
                    GatewayConfig.of(
                            AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION),
                            AccountKeys.of(Signing.WELL_KNOWN_KEY),
                            "1.2.3"),
                    database,
                    new Gateway.Surroundings(
                            task -> Thread.ofVirtual().start(task),
                            task -> Thread.ofVirtual().start(task),
                            CLOCK,
                            (_, _) -> {},
                            System::nanoTime,
                            RandomGenerator.of("L64X128MixRandom"),
                            GatewayObserver.NONE,
                            MemoryBudget.unlimited())));

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anItemIsReadByANameThatNeedsEscapes() throws IOException, InterruptedException {
        database.prompt = false;
        database.answers(new Outcome(
                new Answer.Resource(Change.READ, ByteBuffer.wrap("{\"id\":1}".getBytes(StandardCharsets.UTF_8))),
                bill(1),
                Facts.NONE));

        var response = get("/dbs/d/colls/c/docs/%E4%BD%A0+%20%25", "docs\ndbs/d/colls/c/docs/你+ %");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"id\":1}");
        assertThat(response.headers().firstValue("x-ms-request-charge")).contains("1");
        var read = (Operation.ReadItem) database.operations.getFirst();
        assertThat(read.id()).isEqualTo("你+ %");
        assertThat(read.partition()).contains(PartitionKey.parse("[\"ü\"]"));
    }

    @Test
    void theAccountNamesThePortThatTheClientUsed() throws IOException, InterruptedException {
        database.answers(new Outcome(new Answer.Account(), bill(0), Facts.NONE));
        assertThat(get("/", "\n").body()).contains("\"http://localhost:" + server.port() + "/\"");
    }

    private HttpResponse<String> get(String path, String typeAndLink) throws IOException, InterruptedException {
        var text = "get\n" + typeAndLink + "\n" + TestRequest.DATE.toLowerCase(Locale.ROOT) + "\n\n";
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                            .header("authorization", Signing.header(Signing.WELL_KNOWN_KEY, text))
                            .header("x-ms-date", TestRequest.DATE)
                            .header("x-ms-documentdb-partitionkey", "[\"\\u00fc\"]")
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static Bill bill(double requestUnits) {
        return Bill.of(Effort.ITEM_READ, requestUnits);
    }
}
