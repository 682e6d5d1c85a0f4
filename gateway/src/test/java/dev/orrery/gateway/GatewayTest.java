package dev.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.gateway.reply.Advertised;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayTest {
    private static final String ITEM = "/dbs/d/colls/c/docs/i";
    private static final String READ_ONLY_KEY =
            Base64.getEncoder().encodeToString("read only".getBytes(StandardCharsets.UTF_8));

    private final FakeDatabase database = new FakeDatabase();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final List<String> observed = new ArrayList<>();
    private final GatewayConfig config = GatewayConfig.of(
                    AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION),
                    new AccountKeys(
                            Signing.WELL_KNOWN_KEY, Optional.empty(), Optional.of(READ_ONLY_KEY), Optional.empty()),
                    "1.2.3")
            .withExtensions(Map.of(
                    "/_orrery/health",
                            _ -> HttpReply.status(200)
                                    .body("fine".getBytes(StandardCharsets.UTF_8))
                                    .build(),
                    "/_orrery/broken",
                            _ -> {
                                throw new IllegalStateException("secret");
                            }));
    private final MemoryBudget memory = new MemoryBudget(1 << 20, 0);
    private final Gateway gateway = gateway(config);

    private Gateway gateway(GatewayConfig with) {
        return new Gateway(
                with,
                database,
                new Gateway.Surroundings(
                        waiting::add,
                        Runnable::run,
                        InstantSource.fixed(Instant.parse("2026-11-15T18:19:28Z")),
                        (_, _) -> {},
                        System::nanoTime,
                        RandomGenerator.of("L64X128MixRandom"),
                        reply -> observed.add("%s of '%s' %d/%d, %s RU, %d throttled"
                                .formatted(
                                        reply.operation(),
                                        reply.about(),
                                        reply.status(),
                                        reply.substatus(),
                                        reply.requestCharge(),
                                        reply.throttled())),
                        memory));
    }

    @Test
    void anItemGoesBackAsTheDatabaseGaveIt() {
        var json = ByteBuffer.wrap("{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_8));
        database.answers(new Outcome(new Answer.Resource(Change.READ, json), bill(1), Facts.NONE));

        var reply = send(TestRequest.get(ITEM)
                .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                .signed());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).singleElement().isSameAs(json);
        assertThat(reply.header("content-type")).contains("application/json");
        assertThat(reply.header("x-ms-request-charge")).contains("1");
        assertThat(observed).containsExactly("ReadItem of 'dbs/d/colls/c' 200/0, 1.0 RU, 0 throttled");
    }

    @Test
    void whatMayWaitRunsOnAWorkerAndTheRestAtOnce() {
        var replies = new ArrayList<HttpReply>();
        database.prompt = false;
        gateway.handle(TestRequest.get(ITEM).signed(), replies::add);
        assertThat(database.operations).isEmpty();
        assertThat(replies).isEmpty();

        waiting.remove().run();
        assertThat(database.operations).hasSize(1);
        assertThat(replies).hasSize(1);

        database.prompt = true;
        gateway.handle(TestRequest.get(ITEM).signed(), replies::add);
        assertThat(waiting).isEmpty();
        assertThat(replies).hasSize(2);
    }

    @Test
    void theReplyWaitsForTheDatabase() {
        var later = new CompletableFuture<Outcome>();
        database.answer = () -> later;
        var replies = new ArrayList<HttpReply>();
        gateway.handle(TestRequest.of("DELETE", ITEM).signed(), replies::add);
        assertThat(replies).isEmpty();
        later.complete(new Outcome(new Answer.Deleted(), bill(5.25), Facts.NONE));
        assertThat(replies)
                .singleElement()
                .satisfies(reply -> assertThat(reply.status()).isEqualTo(204));
    }

    @Test
    void aRefusalIsJsonWithCodeMessageAndActivityId() {
        database.answers(Outcome.refused(new Failure.NotFound("There is no item i."), bill(1.24), Facts.NONE));
        var id = "11111111-2222-4333-8444-abcdefABCDEF";
        var reply = send(TestRequest.get(ITEM).header("x-ms-activity-id", id).signed());
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("x-ms-activity-id")).contains(id);
        assertThat(reply.header("x-ms-request-charge")).contains("1.24");
        assertThat(json(reply).member("code")).isEqualTo(new JsonValue.Str("NotFound"));
        assertThat(json(reply).member("message"))
                .isEqualTo(new JsonValue.Str("There is no item i.\r\nActivityId: " + id + ", orrery/1.2.3"));
    }

    @Test
    void activityIdsThatAreNoneAreReplacedByNewOnes() {
        var first =
                send(TestRequest.get(ITEM).header("x-ms-activity-id", "a\"b").signed());
        var second = send(TestRequest.get(ITEM).signed());
        var uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
        assertThat(first.header("x-ms-activity-id").orElseThrow()).matches(uuid);
        assertThat(second.header("x-ms-activity-id").orElseThrow())
                .matches(uuid)
                .isNotEqualTo(first.header("x-ms-activity-id").orElseThrow());
    }

    @Test
    void aBugIsAnInternalErrorThatTellsNothing() {
        database.answer = () -> {
            throw new IllegalStateException("secret");
        };
        assertInternal(send(TestRequest.get(ITEM).signed()));
        database.answer = () -> CompletableFuture.failedFuture(new IllegalStateException("secret"));
        assertInternal(send(TestRequest.get(ITEM).signed()));
        database.answer = () -> {
            throw new StackOverflowError("secret");
        };
        assertInternal(send(TestRequest.get(ITEM).signed()));
        // A header that HTTP cannot carry is found out only when the reply is written.
        database.answers(new Outcome(
                new Answer.Deleted(),
                bill(1),
                Facts.ofResource(Optional.of("\"e\r\nset-cookie: secret\""), Optional.empty())));
        assertInternal(send(TestRequest.get(ITEM).signed()));
    }

    private static void assertInternal(HttpReply reply) {
        assertThat(reply.status()).isEqualTo(500);
        assertThat(new String(reply.bodyBytes(), StandardCharsets.UTF_8))
                .contains("\"code\":\"InternalServerError\"")
                .doesNotContain("secret")
                .doesNotContain("java");
    }

    @Test
    void aRefusalThatIsThrownIsStillARefusal() {
        database.answer = () -> {
            throw new FailureException(new Failure.Conflict("taken"));
        };
        assertThat(send(TestRequest.get(ITEM).signed()).status()).isEqualTo(409);
        database.answer = () -> CompletableFuture.supplyAsync(
                () -> {
                    throw new FailureException(new Failure.Conflict("taken"));
                },
                Runnable::run);
        assertThat(send(TestRequest.get(ITEM).signed()).status()).isEqualTo(409);
    }

    @Test
    void whatIsThrottledIsCountedInBatchesByEntry() {
        var throttled = new Answer.Refused(new Failure.Throttled(Shortage.THROUGHPUT, "Too much.", 10));
        database.answers(new Outcome(throttled, Bill.NOTHING, Facts.NONE));
        send(TestRequest.get(ITEM).signed());
        database.answers(new Outcome(
                new Answer.Batch(List.of(
                        new BatchResult(throttled, Bill.NOTHING, Optional.empty()),
                        new BatchResult(new Answer.Deleted(), bill(5), Optional.empty()),
                        new BatchResult(throttled, Bill.NOTHING, Optional.empty()))),
                bill(5),
                Facts.NONE));
        var entry = "{\"operationType\":\"Delete\",\"id\":\"i\",\"partitionKey\":\"[1]\"}";
        send(TestRequest.post("/dbs/d/colls/c/docs", "[" + String.join(",", List.of(entry, entry, entry)) + "]")
                .header("x-ms-cosmos-is-batch-request", "true")
                .header("x-ms-cosmos-batch-atomic", "false")
                .header("x-ms-documentdb-partitionkeyrangeid", "0")
                .signed());

        assertThat(observed)
                .containsExactly(
                        "ReadItem of 'dbs/d/colls/c' 429/3200, 0.0 RU, 1 throttled",
                        "Batch of 'dbs/d/colls/c' 207/0, 5.0 RU, 2 throttled");
    }

    @Test
    void aLargeReplyIsCountedUntilItIsSent() {
        var reply = readLarge();
        assertThat(reply.status()).isEqualTo(200);
        assertThat(memory.bytesTaken()).isEqualTo(800_000);

        var refused = readLarge();
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("x-ms-substatus")).contains("3092");
        assertThat(observed).last().asString().contains("429/3092");

        reply.gone();
        reply.gone();
        assertThat(memory.bytesTaken()).isZero();
        assertThat(readLarge().status()).isEqualTo(200);
    }

    @Test
    void whatHasBeenWrittenIsAnsweredWhateverTheReplyTakes() {
        memory.takeAnyway(memory.bytesMax());
        var json = ByteBuffer.wrap(new byte[800_000]);
        database.answers(new Outcome(new Answer.Resource(Change.CREATED, json), bill(1), Facts.NONE));

        var reply = send(TestRequest.post("/dbs/d/colls/c/docs", "{\"id\":\"i\"}")
                .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                .signed());

        assertThat(reply.status()).isEqualTo(201);
        reply.gone();
        assertThat(memory.bytesTaken()).isEqualTo(memory.bytesMax());
    }

    private HttpReply readLarge() {
        var json = ByteBuffer.wrap(new byte[800_000]);
        database.answers(new Outcome(new Answer.Resource(Change.READ, json), bill(1), Facts.NONE));
        return send(TestRequest.get(ITEM)
                .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                .signed());
    }

    @Test
    void aServerThatShutsDownIsUnavailable() {
        database.prompt = false;
        var closed = new Gateway(
                config,
                database,
                new Gateway.Surroundings(
                        _ -> {
                            throw new RejectedExecutionException();
                        },
                        Runnable::run,
                        InstantSource.fixed(Instant.parse("2026-11-15T18:19:28Z")),
                        (_, _) -> {},
                        System::nanoTime,
                        RandomGenerator.of("L64X128MixRandom"),
                        GatewayObserver.NONE,
                        MemoryBudget.unlimited()));
        assertThat(send(closed, TestRequest.get(ITEM).signed()).status()).isEqualTo(503);
    }

    @Test
    void aReaderAndATokenAreIntroducedToTheDatabaseAsSuch() {
        send(TestRequest.get(ITEM).signedWith(READ_ONLY_KEY));
        send(TestRequest.get(ITEM)
                .header("authorization", Signing.encoded("type=resource&ver=1&sig=x;"))
                .unsigned());
        assertThat(database.callers.get(0).principal()).isEqualTo(new Principal.Reader());
        assertThat(database.callers.get(1).principal())
                .isEqualTo(new Principal.TokenHolder("type=resource&ver=1&sig=x;"));
    }

    @Test
    void theAccountIsToldWithTheAddressThatTheClientUsed() {
        database.answers(new Outcome(new Answer.Account(), bill(0), Facts.NONE));
        assertThat(endpoints(send(TestRequest.get("/").signed()))).containsOnly("http://localhost:8081/");
        assertThat(endpoints(send(TestRequest.get("/")
                        .secure()
                        .header("host", "[::1]:9000")
                        .signed())))
                .containsOnly("https://[::1]:9000/");
        assertThat(endpoints(send(TestRequest.get("/")
                        .header("x-forwarded-host", "evil.example")
                        .header("x-forwarded-proto", "https")
                        .signed())))
                .containsOnly("http://localhost:8081/");
    }

    @Test
    void aTrustedProxyOrTheConfigurationKnowsTheAddressBetter() {
        database.answers(new Outcome(new Answer.Account(), bill(0), Facts.NONE));
        var forwarded = TestRequest.get("/")
                .header("x-forwarded-host", "db.example, inner:1")
                .header("x-forwarded-proto", "https,http")
                .signed();
        var trusting = gateway(config.withAdvertised(new Advertised(Optional.empty(), true)));
        assertThat(endpoints(send(trusting, forwarded))).containsOnly("https://db.example/");
        assertThat(endpoints(send(trusting, TestRequest.get("/").signed()))).containsOnly("http://localhost:8081/");

        var fixed = gateway(config.withAdvertised(new Advertised(Optional.of("https://fixed.example/"), true)));
        assertThat(endpoints(send(fixed, forwarded))).containsOnly("https://fixed.example/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\"b", "a/b", "<x>"})
    void aHostThatIsNoneIsABadRequest(String host) {
        database.answers(new Outcome(new Answer.Account(), bill(0), Facts.NONE));
        var own = GatewayConfig.of(config.account().get(), AccountKeys.of(READ_ONLY_KEY), "1.2.3");
        assertThat(send(gateway(own), TestRequest.get("/").header("host", host).signedWith(READ_ONLY_KEY))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void theAccountHasWhatTheSdksInsistOn() {
        database.answers(new Outcome(new Answer.Account(), bill(0), Facts.NONE));
        var account = json(send(TestRequest.get("/").signed()));
        assertThat(account.member("id")).isEqualTo(new JsonValue.Str("orrery"));
        assertThat(JsonReader.parse(((JsonValue.Str) account.member("queryEngineConfiguration")).value()))
                .isInstanceOf(JsonValue.Obj.class);
        assertThat(account.toString())
                .contains("\"defaultConsistencyLevel\":\"Session\"")
                .contains("\"enableMultipleWriteLocations\":false")
                .contains(
                        "\"userReplicationPolicy\":{\"minReplicaSetSize\":1,\"maxReplicasetSize\":1,\"asyncReplication\":false}")
                .contains("\"systemReplicationPolicy\":{\"minReplicaSetSize\":1,\"maxReplicasetSize\":1}")
                .contains("\"readPolicy\":{\"primaryReadCoefficient\":1,\"secondaryReadCoefficient\":1}");
    }

    @Test
    void extensionsNeedNoKey() {
        var replies = new ArrayList<HttpReply>();
        gateway.handle(TestRequest.get("/_orrery/health").unsigned(), replies::add);
        gateway.handle(TestRequest.get("/_orrery/broken").unsigned(), replies::add);
        assertThat(replies.get(0).bodyBytes()).asString().isEqualTo("fine");
        assertInternal(replies.get(1));
        assertThat(send(TestRequest.of("POST", "/_orrery/health").unsigned()).status())
                .isEqualTo(404);
        assertThat(send(TestRequest.get("/_orrery/other").unsigned()).status()).isEqualTo(404);
    }

    @Test
    void commandsAndThoseWhoAreNotLetInAreAudited() {
        var audited = new ArrayList<String>();
        var audit = gateway(config.withCommands(Map.of(
                        "/_orrery/do",
                                new GatewayConfig.Command(true, request -> switch (request.rawQuery()) {
                                    case "" ->
                                        CompletableFuture.completedFuture(
                                                HttpReply.status(200).build());
                                    case "how=later" ->
                                        CompletableFuture.failedFuture(
                                                new FailureException(new Failure.BadRequest("Not so.")));
                                    default -> throw new FailureException(new Failure.Conflict("Not at present."));
                                }),
                        "/_orrery/link",
                                new GatewayConfig.Command(
                                        false,
                                        _ -> CompletableFuture.completedFuture(
                                                HttpReply.status(200).build()))))
                .withAudit(entry -> audited.add(entry.by() + ", " + entry.operation() + ", " + entry.resource() + ", "
                        + entry.status() + (entry.isRefusal() ? ", not let in" : ""))));
        for (var path : List.of("/_orrery/do", "/_orrery/do?how=later", "/_orrery/do?how=now", "/_orrery/link")) {
            audit.handle(
                    TestRequest.of("POST", path)
                            .header(
                                    "authorization",
                                    TestRequest.of("POST", "/")
                                            .signed()
                                            .header("authorization")
                                            .orElseThrow())
                            .unsigned(),
                    _ -> {});
            waiting.remove().run();
        }
        audit.handle(TestRequest.of("POST", "/_orrery/do").unsigned(), _ -> {});
        waiting.remove().run();
        audit.handle(TestRequest.get(ITEM).unsigned(), _ -> {});
        audit.handle(TestRequest.get(ITEM).header("host", "rebound.example").signed(), _ -> {});
        audit.handle(
                TestRequest.of("POST", "/dbs")
                        .header("origin", "https://evil.example")
                        .signed(),
                _ -> {});
        assertThat(audited)
                .containsExactly(
                        "primary key, Command, /_orrery/do, 200",
                        "primary key, Command, /_orrery/do, 400",
                        "primary key, Command, /_orrery/do, 409",
                        ", Refused, /_orrery/do, 401, not let in",
                        ", Refused, " + ITEM + ", 401, not let in",
                        ", Refused, " + ITEM + ", 421, not let in",
                        ", Refused, /dbs, 403, not let in");
    }

    @Test
    void extensionsAnswerWhileNoWorkerDoes() {
        database.prompt = false;
        var replies = new ArrayList<HttpReply>();
        gateway.handle(TestRequest.get(ITEM).signed(), replies::add);
        gateway.handle(TestRequest.get("/_orrery/health").unsigned(), replies::add);
        assertThat(waiting).hasSize(1);
        assertThat(replies)
                .singleElement()
                .satisfies(reply -> assertThat(reply.bodyBytes()).asString().isEqualTo("fine"));
    }

    @Test
    void guardedExtensionsNeedAKeyOfTheAccount() {
        var guarded = gateway(config.withGuarded(Set.of("/_orrery/health")));
        var signed = TestRequest.get("/").signed().header("authorization").orElseThrow();
        var replies = new ArrayList<HttpReply>();
        for (var authorization : List.of(signed, "type%3Dresource%26ver%3D1%26sig%3Dx", "nonsense")) {
            guarded.handle(
                    TestRequest.get("/_orrery/health")
                            .header("authorization", authorization)
                            .unsigned(),
                    replies::add);
        }
        guarded.handle(TestRequest.get("/_orrery/health").unsigned(), replies::add);
        assertThat(replies).extracting(HttpReply::status).containsExactly(200, 403, 401, 401);
    }

    @Test
    void pagesOfThisMachineMaySpeakToUsAndOthersMayNot() {
        var preflight = send(TestRequest.of("OPTIONS", "/dbs")
                .header("origin", "http://localhost:3000")
                .header("access-control-request-headers", "authorization,x-ms-date")
                .unsigned());
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("access-control-allow-origin")).contains("http://localhost:3000");
        assertThat(preflight.header("access-control-allow-headers")).contains("authorization,x-ms-date");

        var answered =
                send(TestRequest.get(ITEM).header("origin", "https://127.0.0.1").signed());
        assertThat(answered.header("access-control-allow-origin")).contains("https://127.0.0.1");
        assertThat(answered.header("access-control-expose-headers")).contains("*");

        for (var stranger : List.of("https://evil.example", "http://localhost.evil.example", "null", "http://[")) {
            assertThat(send(TestRequest.of("OPTIONS", "/dbs")
                                    .header("origin", stranger)
                                    .unsigned())
                            .header("access-control-allow-origin"))
                    .isEmpty();
            assertThat(send(TestRequest.get(ITEM).header("origin", stranger).signed())
                            .header("access-control-allow-origin"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET    | /nowhere                      | 404 | NotFound
        GET    | /dbs/%zz                      | 400 | BadRequest
        GET    | /addresses                    | 400 | BadRequest
        GET    | /dbs/d                        | 401 | Unauthorized
        """)
    void requestsAreRefusedBeforeAnybodyIsKnown(String method, String path, int status, String code) {
        var reply = send(TestRequest.of(method, path).unsigned());
        assertThat(reply.status()).isEqualTo(status);
        assertThat(json(reply).member("code")).isEqualTo(new JsonValue.Str(code));
        assertThat(database.operations).isEmpty();
        assertThat(observed).containsExactly("Other of '' " + status + "/0, 0.0 RU, 0 throttled");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        DELETE | /                                                | GET
        PUT    | /dbs                                             | GET, POST, HEAD
        PUT    | /dbs/d                                           | GET, DELETE
        PATCH  | /dbs/d/colls/c                                   | GET, PUT, DELETE, HEAD
        POST   | /dbs/d/colls/c/docs/i                            | GET, PUT, PATCH, DELETE
        HEAD   | /dbs/d/colls/c/docs/i                            | GET, PUT, PATCH, DELETE
        BREW   | /dbs/d/colls/c/docs/i                            | GET, PUT, PATCH, DELETE
        GET    | /dbs/d/colls/c/operations/partitionkeydelete     | POST
        POST   | /dbs/d/colls/c/pkranges                          | GET
        POST   | /offers                                          | GET, POST
        DELETE | /offers/Ab12                                     | GET, PUT
        """)
    void aWrongMethodIsNamedAsSuchTogetherWithTheRightOnes(String method, String path, String allowed) {
        var reply = send(TestRequest.of(method, path).signed());

        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("allow")).contains(allowed);
        assertThat(database.operations).isEmpty();
    }

    private HttpReply send(HttpRequest request) {
        return send(gateway, request);
    }

    private static HttpReply send(Gateway to, HttpRequest request) {
        var replies = new ArrayList<HttpReply>();
        to.handle(request, replies::add);
        assertThat(replies).hasSize(1);
        return replies.getFirst();
    }

    private static JsonValue.Obj json(HttpReply reply) {
        return (JsonValue.Obj) JsonReader.parse(reply.bodyBytes());
    }

    private static List<String> endpoints(HttpReply reply) {
        var endpoints = new ArrayList<String>();
        for (var list : List.of("writableLocations", "readableLocations")) {
            for (var location : ((JsonValue.Arr) json(reply).member(list)).items()) {
                endpoints.add(((JsonValue.Str) ((JsonValue.Obj) location).member("databaseAccountEndpoint")).value());
            }
        }
        return endpoints;
    }

    private static Bill bill(double requestUnits) {
        return Bill.of(Effort.ITEM_READ, requestUnits);
    }
}
