package dev.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.HttpDate;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.memory.MemoryBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Replays requests that the official Java and JavaScript SDKs have sent, signatures included, and compares what reaches
 * the database with {@code recorded-requests.expected}. After a change of meaning run with {@code -Dgolden.update=true}
 * and read the difference.
 */
class RecordedRequestsTest {
    private static final Path EXPECTED = Path.of("src/test/resources/dev/orrery/gateway/recorded-requests.expected");

    private final FakeDatabase database = new FakeDatabase();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Gateway gateway = new Gateway(
            GatewayConfig.of(
                    AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION),
                    AccountKeys.of(Signing.WELL_KNOWN_KEY),
                    "test"),
            database,
            new Gateway.Surroundings(
                    Runnable::run,
                    Runnable::run,
                    now::get,
                    (_, _) -> {},
                    System::nanoTime,
                    RandomGenerator.of("L64X128MixRandom"),
                    GatewayObserver.NONE,
                    MemoryBudget.unlimited()));

    @Test
    void everyRecordedRequestIsUnderstoodAsItWasMeant() throws IOException {
        var described = new ArrayList<String>();
        for (var line : lines()) {
            var recorded = (JsonValue.Obj) JsonReader.parse(line);
            described.add(text(recorded, "sdk") + " " + text(recorded, "method") + " " + text(recorded, "url"));
            described.add("  -> " + replay(recorded));
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.write(EXPECTED, described);
        }
        assertThat(described).isEqualTo(Files.readAllLines(EXPECTED));
    }

    private String replay(JsonValue.Obj recorded) {
        var headers = new LinkedHashMap<String, String>();
        ((JsonValue.Obj) recorded.member("headers"))
                .members()
                .forEach((name, value) -> headers.put(name, ((JsonValue.Str) value).value()));
        now.set(Instant.ofEpochSecond(HttpDate.parse(headers.get("x-ms-date")).orElseThrow()));
        database.operations.clear();
        database.callers.clear();

        var replies = new ArrayList<HttpReply>();
        gateway.handle(
                TestRequest.of(text(recorded, "method"), text(recorded, "url"))
                        .headers(headers)
                        .body(text(recorded, "body"))
                        .unsigned(),
                replies::add);

        assertThat(replies).hasSize(1);
        var reply = replies.getFirst();
        if (reply.status() >= 400) {
            var body = (JsonValue.Obj) JsonReader.parse(reply.bodyBytes());
            return reply.status() + " "
                    + text(body, "message").lines().findFirst().orElseThrow();
        }
        if (database.operations.isEmpty()) {
            return reply.status() + " from the gateway";
        }
        var caller = database.callers.getFirst();
        return Descriptions.of(database.operations.getFirst()) + " as " + Descriptions.of(caller);
    }

    private static Iterable<String> lines() throws IOException {
        try (var in = RecordedRequestsTest.class.getResourceAsStream("recorded-requests.jsonl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static String text(JsonValue.Obj object, String member) {
        return ((JsonValue.Str) object.member(member)).value();
    }
}
