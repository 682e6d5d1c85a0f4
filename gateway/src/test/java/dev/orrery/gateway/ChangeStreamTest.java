package dev.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ReadChanges;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.http.BodyStream;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.Limits;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream of changes, with the threads and the time in the hands of the test. */
class ChangeStreamTest {
    private static final String PATH = "/dbs/d/colls/c/changes";
    private static final String RID = "AQIDBIAAAAE=";

    private final FakeDatabase database = new FakeDatabase();
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private long nanos;
    private final Gateway gateway = new Gateway(
            GatewayConfig.of(
                    AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION),
                    AccountKeys.of(Signing.WELL_KNOWN_KEY),
                    "1.2.3"),
            database,
            new Gateway.Surroundings(
                    work::add,
                    Runnable::run,
                    InstantSource.fixed(Instant.parse("2026-11-15T18:19:28Z")),
                    (_, task) -> later.add(task),
                    () -> nanos,
                    RandomGenerator.of("L64X128MixRandom"),
                    GatewayObserver.NONE,
                    MemoryBudget.unlimited()));

    @Test
    void aPageIsEventsOfWhichOnlyTheLastSaysWhereToGoOn() {
        database.answers(page("\"7\"", "{\"id\":\"a\"}", "{\"id\":\r\n\"b\"}"));
        var reply = get(PATH);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).contains("text/event-stream");
        assertThat(take(reply)).isEqualTo("""
            event: change
            data: {"id":"a"}

            id: 7@AQIDBIAAAAE=
            event: change
            data: {"id":  "b"}

            """);
    }

    @Test
    void whereNothingHasChangedThePlaceIsToldAtOnce() {
        database.answers(nothingAfter("\"0:3,1:4\""));
        assertThat(take(get(PATH + "?from=now"))).isEqualTo("id: 0:3,1:4@AQIDBIAAAAE=\n\n");
        assertThat(read(0).wanted().after()).contains("*");
    }

    @Test
    void theNextPageIsReadWhenTheClientHasTakenTheLast() {
        database.answers(page("\"7\"", "{\"id\":\"a\"}"));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        runWork();
        assertThat(database.operations).hasSize(1);

        database.answers(page("\"9\"", "{\"id\":\"b\"}"));
        var next = ask(stream);
        runWork();
        assertThat(text(next)).contains("id: 9@").contains("{\"id\":\"b\"}");
        assertThat(read(1).wanted().after()).contains("\"7\"");
        assertThat(database.callers.get(1).intended().containerRid()).contains(RID);
    }

    @Test
    void aStreamThatHasToldAllSleepsUntilACommit() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        assertThat(work).isEmpty();

        database.answers(page("\"8\"", "{\"id\":\"a\"}"));
        database.watchers.forEach(Runnable::run);
        database.watchers.forEach(Runnable::run);
        assertThat(work).hasSize(1);
        runWork();
        assertThat(text(next)).contains("id: 8@");
    }

    @Test
    void aCommitDuringAReadIsNotMissed() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        database.watchers.forEach(Runnable::run);
        database.answer = () -> {
            database.answers(page("\"8\"", "{\"id\":\"a\"}"));
            database.watchers.forEach(Runnable::run);
            return CompletableFuture.completedFuture(nothingAfter("\"7\""));
        };
        runWork();
        assertThat(text(next)).contains("id: 8@");
    }

    @Test
    void aPageInWhichNothingWasFoundIsNotTheEnd() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        database.answer = () -> {
            database.answers(page("\"500\"", "{\"id\":\"a\"}"));
            return CompletableFuture.completedFuture(page("\"400\""));
        };
        database.watchers.forEach(Runnable::run);
        runWork();
        assertThat(text(next)).contains("id: 500@");
    }

    @Test
    void aQuietStreamSaysNowAndThenThatItIsAlive() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        secondPasses();
        assertThat(next).isNotDone();

        database.answers(nothingAfter("\"9\""));
        nanos += Limits.CHANGE_STREAM_ALIVE_MILLIS * 1_000_000L;
        secondPasses();
        assertThat(text(next)).isEqualTo(": alive\nid: 9@AQIDBIAAAAE=\n\n");
    }

    @Test
    void anErrorAfterTheBeginningIsTheLastEvent() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        database.answers(refused(new Failure.NotFound("It is gone.")));
        secondPasses();
        assertThat(text(next))
                .startsWith("event: error\ndata: {\"code\":\"NotFound\",\"message\":\"It is gone.")
                .endsWith("}\n\n");
        assertThat(stream.next().toCompletableFuture().join()).isEmpty();
    }

    @Test
    void aThrottledReadIsTriedAgain() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        database.answers(refused(new Failure.Throttled(Shortage.THROUGHPUT, "Slowly.", 100)));
        secondPasses();
        assertThat(next).isNotDone();
        database.answers(page("\"8\"", "{\"id\":\"a\"}"));
        secondPasses();
        assertThat(text(next)).contains("id: 8@");
    }

    @Test
    void anErrorAtTheBeginningIsAnOrdinaryReply() {
        database.answers(refused(new Failure.NotFound("There is none.")));
        var reply = get(PATH);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.stream()).isEmpty();
        assertThat(new String(reply.bodyBytes(), StandardCharsets.UTF_8)).contains("There is none.");
        assertThat(database.watchers).isEmpty();
    }

    @Test
    void aStreamThatDoesNotFollowEndsWhenAllIsTold() {
        database.answers(page("\"7\"", "{\"id\":\"a\"}"));
        var stream = get(PATH + "?follow=false").stream().orElseThrow();
        stream.next();
        database.answers(nothingAfter("\"7\""));
        var next = ask(stream);
        runWork();
        assertThat(next.join()).isEmpty();
    }

    @Test
    void whoeverClosesAStreamHearsNoMoreOfIt() {
        database.answers(nothingAfter("\"7\""));
        var stream = get(PATH).stream().orElseThrow();
        stream.next();
        var next = ask(stream);
        stream.close();
        stream.close();
        assertThat(next.join()).isEmpty();
        assertThat(database.watchers).isEmpty();
        secondPasses();
        assertThat(later).isEmpty();
        assertThat(database.operations).hasSize(1);
    }

    @Test
    void thereAreOnlySoManyAtTheSameTime() {
        database.answers(nothingAfter("\"7\""));
        var open = new ArrayList<BodyStream>();
        for (int i = 0; i < Limits.CHANGE_STREAMS_MAX; i++) {
            open.add(get(PATH).stream().orElseThrow());
        }
        assertThat(get(PATH).status()).isEqualTo(503);
        open.getFirst().close();
        assertThat(get(PATH).status()).isEqualTo(200);
        assertThat(get(PATH).status()).isEqualTo(503);
    }

    @Test
    void theIdOfTheLastEventIsWhereItGoesOn() {
        database.answers(nothingAfter("\"0:3,1:4\""));
        var request =
                TestRequest.get(PATH + "?mode=all-versions&from=beginning").header("last-event-id", "0:3,1:4@" + RID);
        assertThat(send(request).status()).isEqualTo(200);
        assertThat(read(0).wanted().after()).contains("0:3,1:4");
        assertThat(database.callers.getFirst().intended().containerRid()).contains(RID);
    }

    @Test
    void theQueryOfTheAddressSaysWhichChanges() {
        database.answers(nothingAfter("\"1\""));
        get(PATH + "?mode=all-versions&previous=true&partitionKey=%5B%22%C3%BC%22%5D");
        assertThat(read(0).wanted().mode()).isEqualTo(ChangeMode.ALL_VERSIONS);
        assertThat(read(0).wanted().previous()).isTrue();
        assertThat(read(0).wanted().wrapped()).isTrue();
        assertThat(read(0).wanted().after()).contains("*");
        assertThat(read(0).scope().partition()).contains(PartitionKey.parse("[\"ü\"]"));

        get(PATH);
        assertThat(read(1).wanted().mode()).isEqualTo(ChangeMode.LATEST_VERSION);
        assertThat(read(1).wanted().wrapped()).isFalse();
        assertThat(read(1).wanted().after()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        2026-11-15T18:19:28Z             | 2026-11-15T18:19:28Z
        2026-11-15T19:19:28%2B01:00      | 2026-11-15T18:19:28Z
        2026-11-15T18:19:28              | 2026-11-15T18:19:28Z
        2026-11-15                       | 2026-11-15T00:00:00Z
        Sun,%2015%20Nov%202026%2018:19:28%20GMT | 2026-11-15T18:19:28Z
        Sun,+15+Nov+2026+18:19:28+GMT    | 2026-11-15T18:19:28Z
        """)
    void aTimeMayBeWrittenInSeveralWays(String written, Instant meant) {
        database.answers(nothingAfter("\"1\""));
        assertThat(get(PATH + "?from=" + written).status()).isEqualTo(200);
        assertThat(read(0).wanted().since()).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?from=yesterday",
                "?from=",
                "?mode=some",
                "?mode=all-versions&from=beginning",
                "?previous=true",
                "?follow=1",
                "?since=now",
                "?partitionKey=p",
                "?from=%zz"
            })
    void whatMakesNoSenseIsABadRequest(String query) {
        assertThat(get(PATH + query).status()).isEqualTo(400);
        assertThat(database.operations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "@x", "a@x", "12@", "12 @x"})
    void anIdThatIsNoneIsABadRequest(String id) {
        assertThat(send(TestRequest.get(PATH).header("last-event-id", id)).status())
                .isEqualTo(400);
    }

    @Test
    void onlyGetMakesSense() {
        var reply = send(TestRequest.post(PATH, "{}"));
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("allow")).contains("GET");
    }

    private HttpReply get(String path) {
        return send(TestRequest.get(path));
    }

    private HttpReply send(TestRequest request) {
        var replies = new ArrayList<HttpReply>();
        gateway.handle(request.signed(), replies::add);
        runWork();
        assertThat(replies).hasSize(1);
        return replies.getFirst();
    }

    private void runWork() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    private void secondPasses() {
        var due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
        runWork();
    }

    private ReadChanges read(int number) {
        return (ReadChanges) database.operations.get(number);
    }

    private static String take(HttpReply reply) {
        return text(ask(reply.stream().orElseThrow()));
    }

    private static CompletableFuture<Optional<ByteBuffer>> ask(BodyStream stream) {
        return stream.next().toCompletableFuture();
    }

    private static String text(CompletableFuture<Optional<ByteBuffer>> piece) {
        assertThat(piece).isDone();
        return StandardCharsets.UTF_8.decode(piece.join().orElseThrow()).toString();
    }

    private static Outcome page(String etag, String... rows) {
        var texts = Arrays.stream(rows)
                .map(row -> ByteBuffer.wrap(row.getBytes(StandardCharsets.UTF_8)))
                .toList();
        return new Outcome(new Answer.Feed(ResourceKind.ITEM, RID, texts), bill(1), facts(etag));
    }

    private static Outcome nothingAfter(String etag) {
        return new Outcome(new Answer.NotModified(), bill(1), facts(etag));
    }

    private static Outcome refused(Failure failure) {
        return Outcome.refused(failure, bill(1), Facts.NONE);
    }

    private static Facts facts(String etag) {
        return Facts.ofRanges(new Owner("dbs/d/colls/c", RID), "", 1).withEtag(etag);
    }

    private static Bill bill(double requestUnits) {
        return Bill.of(Effort.ITEM_READ, requestUnits);
    }
}
