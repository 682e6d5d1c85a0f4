package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.gateway.Descriptions;
import dev.orrery.gateway.FakeDatabase;
import dev.orrery.gateway.Gateway;
import dev.orrery.gateway.GatewayConfig;
import dev.orrery.gateway.GatewayObserver;
import dev.orrery.gateway.Signing;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.HttpDate;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.model.Failure;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What a client asks over HTTP and what it asks in a frame is the same operation of the same caller: held against each
 * other for everything that the official SDKs were recorded to ask, and for what else has both forms. So is the reply,
 * whatever comes of it.
 */
class TwoFormsTest {
    private static final String ITEM = "/dbs/d/colls/c/docs/%C3%BC%2F1";
    private static final String ITEMS = "/dbs/d/colls/c/docs";
    private static final InetSocketAddress REMOTE = InetSocketAddress.createUnresolved("localhost", 50_000);
    private static final UUID ACTIVITY = new UUID(1, 2);

    private final FakeDatabase database = new FakeDatabase();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-15T18:19:28Z"));
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
                    () -> 0L,
                    RandomGenerator.of("L64X128MixRandom"),
                    GatewayObserver.NONE,
                    MemoryBudget.unlimited()));

    @Test
    void whatTheSdksWereRecordedToAskMeansTheSameInAFrame() throws IOException {
        int compared = 0;
        var overHttpOnly = new TreeSet<String>();
        for (var line : recorded()) {
            var request = (JsonValue.Obj) JsonReader.parse(line);
            var headers = new LinkedHashMap<String, String>();
            ((JsonValue.Obj) request.member("headers"))
                    .members()
                    .forEach((name, value) -> headers.put(name, ((JsonValue.Str) value).value()));
            now.set(Instant.ofEpochSecond(
                    HttpDate.parse(headers.get("x-ms-date")).orElseThrow()));
            var resource = resource(text(request, "url"));
            if (resource.filter(ResourceType::describes).isPresent()) {
                // In Direct mode clients always ask for the strongest one there, which means nothing.
                headers.remove("x-ms-consistency-level");
            }
            if (text(request, "method").equals("GET")) {
                // A frame that reads has no place for it, and its client leaves it out.
                headers.remove("if-match");
            }
            var http = TestRequest.of(text(request, "method"), text(request, "url"))
                    .headers(headers)
                    .body(text(request, "body"))
                    .unsigned();
            if (resource.isPresent() && !makesWhatDescribes(http, resource.get())) {
                assertSame(http, resource.get());
                compared++;
            } else {
                overHttpOnly.add(segments(http.rawPath()).stream()
                        .reduce((_, last) -> last)
                        .orElse("/"));
            }
        }
        assertThat(compared).isGreaterThan(90);
        assertThat(overHttpOnly)
                .as("the account, offers, ranges, a whole partition's deletion, new databases and containers")
                .containsExactly("/", "Ab12", "colls", "dbs", "offers", "partitionkeydelete", "pkranges");
    }

    private static boolean makesWhatDescribes(HttpRequest http, ResourceType resource) {
        return resource.describes() && operation(http, resource) == OperationType.CREATE;
    }

    @Test
    void whatElseHasBothFormsMeansTheSame() {
        for (var request : List.of(
                TestRequest.get("/dbs"),
                TestRequest.get("/dbs/d"),
                query("/dbs"),
                TestRequest.get("/dbs/d/colls").header("x-ms-max-item-count", "-1"),
                query("/dbs/d/colls").header("x-ms-continuation", "token"),
                TestRequest.get("/dbs/d/colls/c").header("x-ms-documentdb-populatequotainfo", "true"),
                TestRequest.get("/dbs/d/users"),
                TestRequest.get("/dbs/d/users/u"),
                query("/dbs/d/users"),
                TestRequest.of("PUT", "/dbs/d/users/u").body("{\"id\":\"u\"}"),
                TestRequest.of("DELETE", "/dbs/d/users/u"),
                TestRequest.get("/dbs/d/users/u/permissions"),
                TestRequest.get("/dbs/d/users/u/permissions/p").header("x-ms-documentdb-expiry-seconds", "600"),
                TestRequest.of("PUT", "/dbs/d/users/u/permissions/p")
                        .body("{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}"),
                TestRequest.of("DELETE", "/dbs/d/users/u/permissions/p"),
                TestRequest.get("/dbs/d/colls/c/conflicts"),
                query("/dbs/d/colls/c/conflicts"),
                TestRequest.get("/dbs/d/colls/c/conflicts/x").header("x-ms-documentdb-partitionkey", "[\"a\"]"),
                TestRequest.of("DELETE", "/dbs/d/colls/c/conflicts/x")
                        .header("x-ms-documentdb-partitionkey", "[\"a\"]"),
                item("GET").header("if-none-match", "\"e\"").header("x-ms-session-token", "0:-1#5"),
                item("GET").header("x-ms-consistency-level", "Eventual"),
                item("PUT").header("if-match", "\"e\"").body("{\"id\":\"ü/1\"}"),
                item("PUT").header("x-ms-indexing-directive", "Exclude").body("{\"id\":\"ü/1\"}"),
                item("DELETE").header("if-match", "\"e\""),
                TestRequest.post(ITEMS, "{\"id\":\"1\"}")
                        .header("x-ms-documentdb-partitionkey", "[{}]")
                        .header("x-ms-documentdb-pre-trigger-include", "before")
                        .header("x-ms-documentdb-post-trigger-include", "after")
                        .header("prefer", "return=minimal"),
                TestRequest.post(ITEMS, "{\"id\":\"1\"}")
                        .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                        .header("x-ms-documentdb-is-upsert", "true")
                        .header("x-ms-cosmos-priority-level", "Low"),
                TestRequest.get(ITEMS).header("x-ms-max-item-count", "7"),
                changes("Incremental Feed").header("if-none-match", "*"),
                changes("Full-Fidelity Feed").header("x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"),
                changes("Incremental Feed").header("if-modified-since", "Sun, 15 Nov 2026 18:00:00 GMT"),
                changes("Incremental Feed")
                        .header("x-ms-read-key-type", "EffectivePartitionKeyRange")
                        .header("x-ms-start-epk", "05")
                        .header("x-ms-end-epk", "0A"),
                query(ITEMS)
                        .header("x-ms-documentdb-partitionkeyrangeid", "0")
                        .header("x-ms-documentdb-populatequerymetrics", "true")
                        .header("x-ms-cosmos-populateindexmetrics", "true")
                        .header("x-ms-documentdb-responsecontinuationtokenlimitinkb", "1"),
                TestRequest.post("/dbs/d/colls/c/sprocs/s", "[1]")
                        .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                        .header("x-ms-documentdb-script-enable-logging", "true"))) {
            var http = request.signed();
            assertSame(http, resource(http.rawPath()).orElseThrow());
        }
    }

    private static TestRequest item(String method) {
        return TestRequest.of(method, ITEM).header("x-ms-documentdb-partitionkey", "[\"\\u00fc\"]");
    }

    private static TestRequest changes(String kind) {
        return TestRequest.get(ITEMS).header("a-im", kind).header("x-ms-documentdb-partitionkeyrangeid", "0");
    }

    private static TestRequest query(String path) {
        return TestRequest.post(path, "{\"query\":\"SELECT * FROM c\",\"parameters\":[]}")
                .header("x-ms-documentdb-isquery", "true")
                .header("content-type", "application/query+json");
    }

    private void assertSame(HttpRequest http, ResourceType resource) {
        var asked = meaning(http);
        var frame = frame(http, resource);
        assertThat(meaning(DirectRequest.read(frame, REMOTE)))
                .as("%s %s", http.method(), http.rawPath())
                .isEqualTo(asked);
        assertThat(replied(http, frame)).isPositive();
    }

    /** Everything that the database may say is told in both forms; returns how often they were compared. */
    private int replied(HttpRequest http, RequestFrame frame) {
        var operation = database.operations.stream().findFirst();
        if (operation.isEmpty()) { // Refused without asking the database, so there is one reply only.
            compareReplies(http, frame);
            return 1;
        }
        var outcomes = SampleOutcomes.of(operation.get());
        for (var outcome : outcomes) {
            if (!isToldInDirectModeOnly(operation.get(), outcome)) {
                database.answers(outcome);
                compareReplies(http, frame);
            }
        }
        return outcomes.size();
    }

    /** Gateways do not say why a batch finds no container, copies of ranges do. */
    private static boolean isToldInDirectModeOnly(Operation operation, Outcome outcome) {
        return operation instanceof Operation.Batch
                && outcome.answer().equals(new Answer.Refused(new Failure.OwnerNotFound("m")));
    }

    private void compareReplies(HttpRequest http, RequestFrame frame) {
        var reply = reply(DirectRequest.read(frame, REMOTE));
        var progress = new RangeProgress(database).of(frame.replica(), reply);
        var bytes = DirectReply.frame(UnpooledByteBufAllocator.DEFAULT, frame, reply, progress, 0);
        ReplyForms.assertSame(reply(http), bytes);
        bytes.release();
    }

    private HttpReply reply(HttpRequest request) {
        var replies = new ArrayList<HttpReply>();
        gateway.handle(request, replies::add);
        assertThat(replies).hasSize(1);
        return replies.getFirst();
    }

    @Test
    void everyKindOfRefusalIsHeldAgainstItself() {
        assertThat(SampleOutcomes.failures().stream().map(Object::getClass).collect(Collectors.toSet()))
                .isEqualTo(Set.of(Failure.class.getPermittedSubclasses()));
    }

    /** What reaches the database, or how it is refused. */
    private String meaning(HttpRequest request) {
        database.operations.clear();
        database.callers.clear();
        var reply = reply(request);
        if (database.operations.isEmpty()) {
            return reply.status() + " "
                    + new String(reply.bodyBytes(), StandardCharsets.UTF_8).replaceAll("ActivityId: [-0-9a-f]+", "");
        }
        return Descriptions.of(database.operations.getFirst()) + " as " + Descriptions.of(database.callers.getFirst());
    }

    // ---- a request of HTTP as the frame that a client in Direct mode sends ----

    private static RequestFrame frame(HttpRequest http, ResourceType resource) {
        var out = Unpooled.buffer();
        var writer =
                new TokenWriter(out, code(resource) | operation(http, resource).code() << 16, ACTIVITY);
        writer.number(RequestToken.PAYLOAD_PRESENT, TokenType.BYTE, http.body().length > 0 ? 1 : 0);
        names(writer, resource, segments(http.rawPath()));
        for (var token : RequestToken.values()) {
            http.headers().find(token.header()).ifPresent(value -> write(writer, token, value));
        }
        http.headers()
                .find("if-none-match")
                .or(() -> http.headers().find("if-match"))
                .ifPresent(etag -> writer.text(RequestToken.MATCH, TokenType.STRING, etag));
        writer.end();
        if (http.body().length > 0) {
            out.writeIntLE(http.body().length).writeBytes(http.body());
        }
        var channel = new EmbeddedChannel(new FrameReader(MemoryBudget.unlimited()));
        channel.writeInbound(Unpooled.wrappedBuffer(RecordedFrames.context()));
        channel.readInbound();
        channel.writeInbound(out);
        RequestFrame frame = channel.readInbound();
        channel.finishAndReleaseAll();
        return frame;
    }

    private static void names(TokenWriter writer, ResourceType resource, List<String> segments) {
        resource.owner().ifPresent(owner -> names(writer, owner, segments));
        int at = segments.indexOf(resource.kind().segment()) + 1;
        if (at < segments.size()) {
            writer.text(resource.nameToken(), TokenType.STRING, PercentCoding.decode(segments.get(at)));
        }
    }

    /** As a number, where a number is read as this text; else as text. */
    private static void write(TokenWriter writer, RequestToken token, String value) {
        for (int number = 0; number < 16; number++) {
            if (isRead(token, TokenType.BYTE, number, value)) {
                writer.number(token.id(), TokenType.BYTE, number);
                return;
            }
        }
        if (isRead(token, TokenType.ULONG, 0xffff_ffffL, value)) {
            writer.number(token.id(), TokenType.ULONG, 0xffff_ffffL);
        } else {
            writer.text(token.id(), TokenType.STRING, token == RequestToken.PARTITION_KEY ? raw(value) : value);
        }
    }

    private static boolean isRead(RequestToken token, TokenType type, long number, String value) {
        var head = Unpooled.buffer();
        new TokenWriter(head, 0, ACTIVITY).number(token.id(), type, number).end();
        try {
            return token.in(Tokens.parse(Arrays.copyOf(head.array(), head.writerIndex()), TokenWriter.HEAD_START_BYTES))
                    .filter(value::equalsIgnoreCase)
                    .isPresent();
        } catch (BadFrameException bad) {
            throw new AssertionError(bad);
        }
    }

    /** Headers are ASCII with escapes, tokens are not. */
    private static String raw(String partitionKey) {
        return partitionKey.replace("\\u00fc", "ü");
    }

    private static OperationType operation(HttpRequest http, ResourceType resource) {
        boolean named = segments(http.rawPath()).size() % 2 == 0;
        for (var type :
                List.of(OperationType.QUERY_PLAN, OperationType.QUERY, OperationType.UPSERT, OperationType.BATCH)) {
            if (http.method().equals("POST") && isMeant(http, type)) {
                return type;
            }
        }
        return switch (http.method()) {
            case "GET" -> named ? OperationType.READ : OperationType.READ_FEED;
            case "PUT" -> OperationType.REPLACE;
            case "PATCH" -> OperationType.PATCH;
            case "DELETE" -> OperationType.DELETE;
            case "HEAD" -> OperationType.HEAD;
            default -> resource == ResourceType.PROCEDURE && named ? OperationType.EXECUTE : OperationType.CREATE;
        };
    }

    private static boolean isMeant(HttpRequest http, OperationType type) {
        boolean byType = type == OperationType.QUERY
                && http.headers()
                        .find("content-type")
                        .filter(value -> value.startsWith("application/query+json"))
                        .isPresent();
        return byType
                || Arrays.stream(new String[] {
                            "x-ms-documentdb-isquery",
                            "x-ms-documentdb-is-upsert",
                            "x-ms-cosmos-is-batch-request",
                            "x-ms-cosmos-is-query-plan-request"
                        })
                        .filter(type::implies)
                        .anyMatch(name -> http.headers()
                                .find(name)
                                .filter(value -> value.toLowerCase(Locale.ROOT).equals("true"))
                                .isPresent());
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .toList();
    }

    /** What a path is about, where Direct mode has a number for it. */
    private static Optional<ResourceType> resource(String path) {
        var segments = segments(path);
        var last = segments.isEmpty() ? "" : segments.get((segments.size() - 1) / 2 * 2);
        return Arrays.stream(ResourceType.values())
                .filter(type -> type.kind().segment().equals(last))
                .findFirst();
    }

    private static int code(ResourceType resource) {
        for (int code = 0; code < 256; code++) {
            if (ResourceType.find(code).equals(Optional.of(resource))) {
                return code;
            }
        }
        throw new AssertionError(resource);
    }

    private static Iterable<String> recorded() throws IOException {
        try (var in = Gateway.class.getResourceAsStream("recorded-requests.jsonl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static String text(JsonValue.Obj object, String member) {
        return ((JsonValue.Str) object.member(member)).value();
    }
}
