package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.Database;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.gateway.Gateway;
import dev.orrery.gateway.GatewayConfig;
import dev.orrery.gateway.GatewayObserver;
import dev.orrery.gateway.Signing;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.ServedNames;
import dev.orrery.gateway.direct.AddressFeed.Endpoint;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.gateway.reply.Advertised;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.memory.MemoryBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients in Direct mode are told of where the copies of ranges are. */
class AddressFeedTest {
    private static final String RID = "AQIDBIAAAAE=";
    private static final String CONTAINER = "/addresses/?$resolveFor=dbs%2FAQIDBA%3D%3D%2Fcolls%2FAQIDBIAAAAE%3D%2Fdocs"
            + "&$filter=protocol%20eq%20rntbd&$partitionKeyRangeIds=";
    private static final String ACCOUNT = "/addresses/?$resolveFor=dbs&$filter=protocol%20eq%20rntbd";
    private static final String TOKEN = "type=resource&ver=1.0&sig=abc;def;";

    private static final Advertised AS_USED = Advertised.AS_USED;

    private final Ranges database = new Ranges(Set.of("0", "3", "12"));

    @Test
    void aRangeHasFourCopiesOfWhichOneTakesTheWrites() {
        var copies = addresses(signed(CONTAINER + "3"), AS_USED);
        assertThat(copies)
                .hasSize(4)
                .allMatch(copy -> text(copy, "partitionKeyRangeId").equals("3"));
        assertThat(copies)
                .allMatch(copy -> text(copy, "protocol").equals("rntbd"))
                .filteredOn(copy -> copy.member("isPrimary").equals(Bool.of(true)))
                .hasSize(1);
        assertThat(copies)
                .extracting(copy -> text(copy, "physcialUri"))
                .containsExactly(
                        "rntbd://localhost:10251/apps/orrery/services/" + RID + "/partitions/3/replicas/1p/",
                        "rntbd://localhost:10251/apps/orrery/services/" + RID + "/partitions/3/replicas/2s/",
                        "rntbd://localhost:10251/apps/orrery/services/" + RID + "/partitions/3/replicas/3s/",
                        "rntbd://localhost:10251/apps/orrery/services/" + RID + "/partitions/3/replicas/4s/");
    }

    @Test
    void manyRangesAreToldAtOnceAndThoseThatHaveVanishedAreLeftOut() {
        assertThat(rangesOf(addresses(signed(CONTAINER + "0,3,7,12"), AS_USED)))
                .containsExactlyInAnyOrder("0", "3", "12");
        assertThat(addresses(signed(CONTAINER + "7"), AS_USED))
                .as("a client that finds no entry asks for the ranges anew")
                .isEmpty();
    }

    @Test
    void theAccountItselfHasNoRange() {
        var copies = addresses(TestRequest.get(ACCOUNT).header("authorization", signature("dbs", "")), AS_USED);
        assertThat(copies)
                .hasSize(4)
                .allMatch(copy -> text(copy, "partitionKeyRangeId").isEmpty());
        assertThat(database.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ms-force-refresh", "x-ms-collectionroutingmap-refresh"})
    void whoDistrustsWhatHeKnowsIsToldWhatIsSoNow(String header) {
        assertThat(rangesOf(addresses(signed(CONTAINER + "0,3"), AS_USED))).containsExactlyInAnyOrder("0", "3");
        database.ids.remove("3");
        assertThat(rangesOf(addresses(signed(CONTAINER + "0,3").header(header, "true"), AS_USED)))
                .containsExactly("0");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8081,         localhost",
        "db.example:8081,        db.example",
        "db.example,             db.example",
        "192.168.7.1:18081,      192.168.7.1",
        "[::1]:8081,             localhost",
        "[2001:db8::1]:8081,     [2001:db8::1]"
    })
    void clientsAreSentToTheHostThatTheyHaveUsed(String used, String told) {
        var copies = addresses(signed(CONTAINER + "0").header("host", used), AS_USED);
        assertThat(copies).allMatch(copy -> text(copy, "physcialUri").startsWith("rntbd://" + told + ":10251/"));
    }

    @Test
    void orToTheOneThatIsAdvertisedAndAlwaysToThePortOfDirectMode() {
        var advertised = new Advertised(Optional.of("https://db.example:443"), false);
        var copies = addresses(signed(CONTAINER + "0").header("host", "10.0.0.7:8081"), advertised);
        assertThat(copies).allMatch(copy -> text(copy, "physcialUri").startsWith("rntbd://db.example:10251/"));
    }

    @Test
    void whoHasATokenIsToldWhatTheTokenIsFor() {
        var asked = TestRequest.get(CONTAINER + "0").header("authorization", Signing.encoded(TOKEN));
        assertThat(addresses(asked, AS_USED)).hasSize(4);
        assertThat(database.asked).containsOnly(new Principal.TokenHolder(TOKEN));

        database.refusal = Optional.of(new Failure.Forbidden("The token is for another container."));
        assertThat(reply(asked, AS_USED).status()).isEqualTo(403);
    }

    @Test
    void nobodyElseIsToldAnything() {
        assertThat(reply(TestRequest.get(CONTAINER + "0"), AS_USED).status()).isEqualTo(401);
        assertThat(reply(
                                TestRequest.get(CONTAINER + "0").header("authorization", signature("docs", "another")),
                                AS_USED)
                        .status())
                .isEqualTo(401);
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aContainerThatIsNotThereHasNoAddresses() {
        database.refusal = Optional.of(new Failure.NotFound("There is no such container."));
        assertThat(reply(signed(CONTAINER + "0"), AS_USED).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/addresses/", "/addresses/?$resolveFor=", "/addresses/?$resolveFor=dbs%2Fd%2Fcolls%2Fc"})
    void whatIsNoListHasNoAddresses(String path) {
        var request = TestRequest.get(path).unsigned();
        assertThatThrownBy(() -> AddressFeed.read(request)).isInstanceOf(FailureException.class);
    }

    // ---- asking ----

    private static TestRequest signed(String path) {
        return TestRequest.get(path).header("authorization", signature("docs", RID.toLowerCase(Locale.ROOT)));
    }

    private static String signature(String type, String link) {
        var date = TestRequest.DATE.toLowerCase(Locale.ROOT);
        return Signing.header(Signing.WELL_KNOWN_KEY, "get\n" + type + "\n" + link + "\n" + date + "\n\n");
    }

    private List<Obj> addresses(TestRequest asked, Advertised advertised) {
        var reply = reply(asked, advertised);
        assertThat(reply.status()).isEqualTo(200);
        var feed = (Obj) JsonReader.parse(reply.bodyBytes());
        return ((JsonValue.Arr) feed.member("Addresss"))
                .items().stream().map(Obj.class::cast).toList();
    }

    private HttpReply reply(TestRequest asked, Advertised advertised) {
        HttpRequest request = asked.unsigned();
        var config = GatewayConfig.of(
                        AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION),
                        AccountKeys.of(Signing.WELL_KNOWN_KEY),
                        "test")
                .withServedNames(ServedNames.of(List.of("db.example"), true))
                .withAdvertised(advertised)
                .withDirect(() -> Optional.of(new Endpoint(Optional.empty(), 10251)));
        var gateway = new Gateway(
                config,
                database,
                new Gateway.Surroundings(
                        Runnable::run,
                        Runnable::run,
                        () -> Instant.parse("2026-11-15T18:19:28Z"),
                        (_, _) -> {},
                        () -> 0L,
                        RandomGenerator.of("L64X128MixRandom"),
                        GatewayObserver.NONE,
                        MemoryBudget.unlimited()));
        var replies = new ArrayList<HttpReply>();
        gateway.handle(request, replies::add);
        assertThat(replies).hasSize(1);
        return replies.getFirst();
    }

    private static Set<String> rangesOf(List<Obj> addresses) {
        var ranges = new HashSet<String>();
        addresses.forEach(address -> ranges.add(text(address, "partitionKeyRangeId")));
        return ranges;
    }

    private static String text(Obj object, String member) {
        return ((Str) object.member(member)).value();
    }

    /** A container with some ranges. */
    private static final class Ranges implements Database {
        private final Set<String> ids;
        private final List<Principal> asked = new ArrayList<>();
        private Optional<Failure> refusal = Optional.empty();

        Ranges(Set<String> ids) {
            this.ids = new HashSet<>(ids);
        }

        @Override
        public CompletionStage<Outcome> execute(Operation operation, Caller caller) {
            var progress = (Operation.ReadProgress) operation;
            asked.add(caller.principal());
            var id = progress.scope().rangeId().orElseThrow();
            var owner = new Owner("dbs/d/colls/c", RID);
            return CompletableFuture.completedFuture(refusal.map(AddressFeedTest::refused)
                    .orElseGet(() -> ids.contains(id)
                            ? new Outcome(
                                    new Answer.Progress(),
                                    Bill.NOTHING,
                                    Facts.ofRange(owner, id, id + ":-1#1", 1, Optional.empty(), Optional.empty()))
                            : refused(new Failure.PartitionRangeGone("split"))));
        }

        @Override
        public boolean isPrompt(Operation operation) {
            return true;
        }

        @Override
        public Watch watch(Operation.ReadChanges changes, Caller caller, Runnable watcher) {
            throw new AssertionError();
        }

        @Override
        public void close() {}
    }

    private static Outcome refused(Failure failure) {
        return Outcome.refused(failure, Bill.NOTHING, Facts.NONE);
    }
}
