package dev.orrery.conformance.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PriorityLevel;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** A server with {@code --enforce-throughput}, and clients in both modes that want more than there is. */
class ThrottlingIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PartitionKey KEY = new PartitionKey("a");
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static final Map<ClientMode, CosmosAsyncClient> CLIENTS = new EnumMap<>(ClientMode.class);

    private static OrreryServer server;
    private static CosmosAsyncClient client;

    @BeforeAll
    static void start(@TempDir Path folder) {
        server = OrreryServer.startInMemory(folder, "--enforce-throughput");
        for (var mode : ClientMode.values()) {
            CLIENTS.put(mode, builder(mode).buildAsyncClient());
        }
        client = CLIENTS.get(ClientMode.chosen());
        client.createDatabase("d").block();
    }

    @AfterAll
    static void stop() {
        CLIENTS.values().forEach(CosmosAsyncClient::close);
        server.close();
    }

    private static CosmosClientBuilder builder(ClientMode mode) {
        return mode.to(new CosmosClientBuilder()
                        .endpoint(server.http().toString())
                        .key(OrreryServer.WELL_KNOWN_KEY)
                        .consistencyLevel(ConsistencyLevel.SESSION))
                // Of many that wait for the same throughput, one may come too late more often than the usual 9 times.
                .throttlingRetryOptions(new ThrottlingRetryOptions()
                        .setMaxRetryAttemptsOnThrottledRequests(100)
                        .setMaxRetryWaitTime(Await.PATIENCE));
    }

    /** One that tells of a refusal at once instead of trying again. */
    private static CosmosAsyncClient impatient(ClientMode mode) {
        return builder(mode)
                .throttlingRetryOptions(new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0))
                .buildAsyncClient();
    }

    // ---- what is delivered ----

    @Test
    void whoeverAsksAloneIsRefusedJustWhileSomethingIsOwedAndGetsInWhenToldTo() throws IOException {
        double rate = 2_000;
        var ledger = new Ledger(rate);
        container("alone", manual((int) rate));
        var signer = new WireClient(server);
        int refusals = 0;
        try (var connection = new WireConnection(server.port())) {
            boolean told = false;
            int dear = 8_000;
            for (int n = 0; ledger.paid() < 3 * rate || refusals == 0; n++) {
                // Cheap ones, and now and then one that costs most of a second; more if that was paid back meanwhile.
                dear = n % 5 == 4 && refusals == 0 ? Math.min(2 * dear, 128_000) : dear;
                var body = n % 5 == 0 ? numbers("dear", dear) : item(n);
                long asked = System.nanoTime();
                connection.send(signer.bytes(upsert("alone", body)));
                var reply = connection.reply();
                long answered = System.nanoTime();
                if (reply.status() == 429) {
                    assertThat(told)
                            .as("refused although it came back when told to")
                            .isFalse();
                    long millis = retryAfterMillis(reply);
                    ledger.refused(asked, answered, millis);
                    Await.pause(millis, "it was told to wait");
                    refusals++;
                    n--;
                    told = true;
                } else {
                    assertThat(reply.status()).as(reply.body()).isIn(200, 201);
                    ledger.granted(asked, answered, charge(reply));
                    told = false;
                }
            }
        }
    }

    @Test
    void sixteenClientsGetWhatIsProvisionedAndNobodyIsForgotten() throws Exception {
        var fourHundred = new Ledger(400);
        var thousand = new Ledger(1_000);
        container("four", manual(400));
        container("ten", manual(1_000));
        var four = new Crowd(server).write(16, 12, "four");
        var ten = new Crowd(server).write(16, 24, "ten");
        // All of them may have been let in before the first has paid.
        fourHundred.grantedToAll(four.get().sum(), 16 * four.get().most());
        thousand.grantedToAll(ten.get().sum(), 16 * ten.get().most());
        assertThat(four.get().sum())
                .as("more than there is at once")
                .isGreaterThan(400 + 16 * four.get().most());
        assertThat(ten.get().sum())
                .as("more than there is at once")
                .isGreaterThan(1_000 + 16 * ten.get().most());
    }

    @Test
    void aChangeOfThroughputCountsAtOnce() {
        var ledger = new Ledger(400);
        var container = container("changing", manual(400));
        double debt = owe("changing", 20_000, ledger);
        long asked = System.nanoTime();
        double seconds = secondsToWait("changing");
        if (seconds > 0) {
            ledger.refused(asked, System.nanoTime(), Math.round(seconds * 1_000));
        } else {
            ledger.letIn(System.nanoTime());
        }
        assertThat(seconds).as("at 400").isLessThanOrEqualTo(debt / 400);
        container.replaceThroughput(manual(4_000)).block();
        assertThat(secondsToWait("changing")).as("at 4,000").isLessThanOrEqualTo(debt / 4_000);
        var more = oweAgain("changing", 20_000);
        container.replaceThroughput(manual(400)).block();
        double later = secondsToWait("changing");
        double passed = (System.nanoTime() - more.askedNanos()) / 1e9;
        // Until the change it was paid back at 4,000, and before the debt there was what is kept of that.
        double leastOwed = more.charge() - 4_000 * (Ledger.SLACK_SECONDS + passed);
        assertThat(later).as("at 400").isGreaterThan(leastOwed / 400 - 0.01);
    }

    @Test
    void autoscaleRisesToItsMaximum() {
        var container = container("scaling", ThroughputProperties.createAutoscaledThroughput(1_000));
        assertThat(current("scaling")).isEqualTo(100);
        var debt = oweAgain("scaling", 20_000);
        assertThat(secondsToWait("scaling")).as("at 1,000").isLessThanOrEqualTo(debt.charge() / 1_000);
        int risen = current("scaling");
        boolean isMinuteOver = System.nanoTime() - debt.askedNanos() > 60_000_000_000L;
        assertThat(risen).as("for a minute").isIn(1_000, isMinuteOver ? 100 : 1_000);
        assertThat(container.readThroughput().block().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(1_000);
    }

    @Test
    void containersShareWhatTheirDatabaseHas() {
        var ledger = new Ledger(600);
        client.createDatabase("shared", manual(600)).block();
        var database = client.getDatabase("shared");
        database.createContainer("one", "/pk").block();
        database.createContainer("two", "/pk").block();
        database.createContainer(new CosmosContainerProperties("own", "/pk"), manual(400))
                .block();
        var wire = new WireClient(server);
        untilRefused(
                ledger,
                "/dbs/shared/colls/one/docs",
                20_000,
                () -> Optional.of(wire.send(upsert("/dbs/shared/colls/two/docs", item(1))))
                        .filter(reply -> reply.status() == 429));
        assertThat(wire.send(upsert("/dbs/shared/colls/own/docs", item(1))).status())
                .isEqualTo(201);
    }

    // ---- what the SDK makes of it ----

    @ParameterizedTest
    @EnumSource
    void theSdkTriesAgainUntilEverythingIsWritten(ClientMode mode) {
        var ledger = new Ledger(400);
        var container = container(mode, "retried", manual(400));
        double debt = owe(in(mode, "retried"), 8_000);
        var charges = Flux.range(0, 50)
                .flatMap(i -> container.createItem(item(i)), 50)
                .map(response -> response.getRequestCharge())
                .collectList()
                .block();
        ledger.grantedToAll(debt + sum(charges), sum(charges));
        assertThat(count(container)).isEqualTo(51);
    }

    @ParameterizedTest
    @EnumSource
    void bulkGoesThroughToTheLastOperation(ClientMode mode) {
        var ledger = new Ledger(400);
        var container = container(mode, "bulk", manual(400));
        double debt = owe(in(mode, "bulk"), 8_000);
        var creates = Flux.range(0, 100).map(i -> CosmosBulkOperations.getCreateItemOperation(item(i), KEY));
        var charges = container
                .executeBulkOperations(creates)
                .map(done -> {
                    assertThat(done.getException()).isNull();
                    assertThat(done.getResponse().getStatusCode()).isEqualTo(201);
                    return done.getResponse().getRequestCharge();
                })
                .collectList()
                .block();
        assertThat(charges).hasSize(100);
        ledger.grantedToAll(debt + sum(charges), sum(charges));
        assertThat(count(container)).isEqualTo(101);
    }

    @ParameterizedTest
    @EnumSource
    void whoDoesNotTryAgainIsToldWhenTo(ClientMode mode) {
        var ledger = new Ledger(400);
        container(mode, "refused", manual(400));
        try (var impatient = impatient(mode)) {
            var container = impatient.getDatabase("d").getContainer(in(mode, "refused"));
            var refusal = untilRefused(
                    ledger, in(mode, "refused"), 20_000, () -> refusal(container, new CosmosItemRequestOptions()));
            assertThat(refusal.getSubStatusCode()).isEqualTo(3200);
            assertThat(refusal.getRetryAfterDuration().toMillis()).isBetween(1L, (long) (ledger.paid() / 400 * 1_000));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aControlGroupOfLowPriorityGivesWay(ClientMode mode) {
        var ledger = new Ledger(400);
        container(mode, "priorities", manual(400));
        try (var low = impatient(mode)) {
            var container = low.getDatabase("d").getContainer(in(mode, "priorities"));
            container.enableLocalThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                    .groupName("low")
                    .targetThroughput(100_000)
                    .priorityLevel(PriorityLevel.LOW)
                    .build());
            var options = inGroup("low");
            assertThat(container.createItem(item(0), KEY, options).block().getStatusCode())
                    .isEqualTo(201);
            var asked = new AtomicLong();
            var high = new AtomicReference<Double>();
            var refusal = untilRefused(ledger, in(mode, "priorities"), 8_000, () -> {
                asked.set(System.nanoTime());
                high.set(secondsToWait(in(mode, "priorities")));
                return high.get() > 0 ? refusal(container, options) : Optional.empty();
            });
            double between = (System.nanoTime() - asked.get()) / 1e9;
            assertThat(refusal.getRetryAfterDuration().toMillis() / 1e3)
                    .as("half of the slack is for high priority alone")
                    .isGreaterThan(high.get() - between + Ledger.SLACK_SECONDS / 2 - 0.01);
            Await.pause(refusal.getRetryAfterDuration().toMillis(), "it was told to wait");
            assertThat(container.createItem(item(1), KEY, options).block().getStatusCode())
                    .isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aControlGroupOfABucketHasItsShare(ClientMode mode) {
        container(mode, "buckets", manual(6_000));
        setBuckets(in(mode, "buckets"), "[{\"id\":2,\"maxThroughputPercentage\":1}]");
        try (var impatient = impatient(mode)) {
            var container = impatient.getDatabase("d").getContainer(in(mode, "buckets"));
            container.enableServerThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                    .groupName("bucket")
                    .throughputBucket(2)
                    .build());
            var options = inGroup("bucket");
            // Half a minute of the bucket, and less than the partition has at once.
            CosmosException refusal;
            do {
                long asked = System.nanoTime();
                double charge = container
                        .createItem(numbers("dear-" + NAMES.incrementAndGet(), 10_000), KEY, options)
                        .block()
                        .getRequestCharge();
                refusal = refusal(container, options).orElse(null);
                double passed = (System.nanoTime() - asked) / 1e9;
                assertThat(charge).isBetween(1_500.0, 2_900.0);
                // The bucket saves nothing: who is let in has come when it was paid back.
                assertThat(refusal == null && charge > 60 * (Ledger.SLACK_SECONDS + passed) + 1)
                        .as("let in while something was owed")
                        .isFalse();
            } while (refusal == null);
            assertThat(refusal.getSubStatusCode()).isEqualTo(3212);
            assertThat(container.createItem(item(1_000_000)).block().getStatusCode())
                    .isEqualTo(201);
        }
    }

    // ---- asking ----

    private static ThroughputProperties manual(int requestUnits) {
        return ThroughputProperties.createManualThroughput(requestUnits);
    }

    private static CosmosAsyncContainer container(String id, ThroughputProperties throughput) {
        return container(client, id, throughput);
    }

    /** One of its own for clients in this mode. */
    private static CosmosAsyncContainer container(ClientMode mode, String id, ThroughputProperties throughput) {
        return container(CLIENTS.get(mode), in(mode, id), throughput);
    }

    private static String in(ClientMode mode, String id) {
        return id + "-" + mode;
    }

    private static CosmosAsyncContainer container(
            CosmosAsyncClient client, String id, ThroughputProperties throughput) {
        var database = client.getDatabase("d");
        database.createContainer(new CosmosContainerProperties(id, "/pk"), throughput)
                .block();
        return database.getContainer(id);
    }

    private static ObjectNode item(int i) {
        return JSON.createObjectNode()
                .put("id", "sdk-" + NAMES.incrementAndGet() + "-" + i)
                .put("pk", "a")
                .put("n", i);
    }

    private static double sum(List<Double> charges) {
        return charges.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** An item whose every number is written to the index. */
    private static ObjectNode numbers(String id, int count) {
        var item = JSON.createObjectNode().put("id", id).put("pk", "a");
        var numbers = item.putArray("numbers");
        IntStream.range(0, count).forEach(numbers::add);
        return item;
    }

    private static WireRequest upsert(String container, ObjectNode item) {
        var path = container.startsWith("/") ? container : "/dbs/d/colls/" + container + "/docs";
        return WireRequest.of("POST", path)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .header("x-ms-documentdb-is-upsert", "true")
                .body(item.toString());
    }

    private static double charge(WireReply reply) {
        return Double.parseDouble(reply.header("x-ms-request-charge").orElseThrow());
    }

    private static long retryAfterMillis(WireReply reply) {
        return Long.parseLong(reply.header("x-ms-retry-after-ms").orElseThrow());
    }

    /** What was paid at once, and when it was asked for; it was paid after that. */
    private record Debt(double charge, long askedNanos) {}

    /** Spends so much at once that a container owes for many seconds, and tells how much. */
    private static double owe(String container, int numbers) {
        return oweAgain(container, numbers).charge();
    }

    private static double owe(String container, int numbers, Ledger ledger) {
        var debt = oweAgain(container, numbers);
        ledger.granted(debt.askedNanos(), System.nanoTime(), debt.charge());
        return debt.charge();
    }

    private static Debt oweAgain(String container, int numbers) {
        var request = upsert(container, numbers("dear-" + NAMES.incrementAndGet(), numbers));
        var signer = new WireClient(server);
        long asked = System.nanoTime();
        var reply = signer.send(request);
        while (reply.status() == 429) {
            Await.pause(retryAfterMillis(reply), "it was told to wait");
            asked = System.nanoTime();
            reply = signer.send(request);
        }
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return new Debt(charge(reply), asked);
    }

    /**
     * Has a container owe, and asks, until somebody is refused: on a slow machine the debt may be paid back before anybody
     * asks, but nobody is let in before it is.
     */
    private static <T> T untilRefused(Ledger ledger, String container, int numbers, Supplier<Optional<T>> ask) {
        while (true) {
            owe(container, numbers, ledger);
            var refusal = ask.get();
            if (refusal.isPresent()) {
                return refusal.get();
            }
            ledger.letIn(System.nanoTime());
        }
    }

    /** How long somebody is told to wait who asks now; nothing for one who is let in. */
    private static double secondsToWait(String container) {
        var reply = new WireClient(server).send(upsert(container, item(0)));
        return reply.status() == 429 ? retryAfterMillis(reply) / 1e3 : 0;
    }

    private static int count(CosmosAsyncContainer container) {
        return container
                .queryItems("SELECT VALUE COUNT(1) FROM c", Integer.class)
                .blockFirst();
    }

    private static CosmosItemRequestOptions inGroup(String name) {
        var options = new CosmosItemRequestOptions();
        options.setThroughputControlGroupName(name);
        return options;
    }

    /** What somebody is told who has to wait; nothing for one who is let in. */
    private static Optional<CosmosException> refusal(CosmosAsyncContainer container, CosmosItemRequestOptions options) {
        var refusal = catchThrowableOfType(
                CosmosException.class,
                () -> container.createItem(item(0), KEY, options).block());
        if (refusal != null) {
            assertThat(refusal.getStatusCode()).isEqualTo(429);
        }
        return Optional.ofNullable(refusal);
    }

    // ---- offers, as no SDK shows them ----

    private static ObjectNode offer(String container) {
        var wire = new WireClient(server);
        var rid = wire.get("/dbs/d/colls/" + container).json().path("_rid").textValue();
        var offers = wire.get("/offers").json().path("Offers");
        return IntStream.range(0, offers.size())
                .mapToObj(i -> (ObjectNode) offers.get(i))
                .filter(offer -> offer.path("offerResourceId").textValue().equals(rid))
                .findFirst()
                .orElseThrow();
    }

    private static int current(String container) {
        return offer(container).at("/content/offerThroughput").intValue();
    }

    private static void setBuckets(String container, String buckets) {
        var offer = offer(container);
        try {
            ((ObjectNode) offer.path("content")).set("throughputBuckets", JSON.readTree(buckets));
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException(wrong);
        }
        var path = "/offers/" + offer.path("_rid").textValue();
        var reply = new WireClient(server).send(WireRequest.of("PUT", path).body(offer.toString()));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }
}
