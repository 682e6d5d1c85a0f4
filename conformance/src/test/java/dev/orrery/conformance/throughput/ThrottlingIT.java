package dev.orrery.conformance.throughput;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A server with {@code --enforce-throughput}, and clients that want more than there is. */
class ThrottlingIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PartitionKey KEY = new PartitionKey("a");
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static OrreryServer server;
    private static CosmosAsyncClient client;

    @BeforeAll
    static void start(@TempDir Path folder) {
        server = OrreryServer.startInMemory(folder, "--enforce-throughput");
        client = builder().buildAsyncClient();
        client.createDatabase("d").block();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static CosmosClientBuilder builder() {
        return new CosmosClientBuilder()
                .endpoint(server.http().toString())
                .key(OrreryServer.WELL_KNOWN_KEY)
                .consistencyLevel(ConsistencyLevel.SESSION)
                .gatewayMode()
                // Of many that wait for the same throughput, one may come too late more often than the usual 9 times.
                .throttlingRetryOptions(new ThrottlingRetryOptions()
                        .setMaxRetryAttemptsOnThrottledRequests(100)
                        .setMaxRetryWaitTime(Duration.ofSeconds(60)));
    }

    /** One that tells of a refusal at once instead of trying again. */
    private static CosmosAsyncClient impatient() {
        return builder()
                .throttlingRetryOptions(new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0))
                .buildAsyncClient();
    }

    // ---- what is delivered ----

    @Test
    void sixteenClientsGetWhatIsProvisionedAndShareIt() {
        container("four", manual(400));
        container("ten", manual(1_000));
        // A busy machine may keep everybody from asking for a while, and what is not asked for is not delivered: that
        // alone is a reason to measure again.
        for (int attempt = 1; ; attempt++) {
            var rates = new Crowd(server)
                    .with(16, "four")
                    .with(16, "ten")
                    .run(Duration.ofSeconds(2), Duration.ofSeconds(20));
            var four = rates.subList(0, 16);
            var ten = rates.subList(16, 32);
            assertThat(sum(four)).isLessThan(1.05 * 400);
            assertThat(sum(ten)).isLessThan(1.05 * 1_000);
            if (attempt < 3 && (sum(four) < 0.95 * 400 || sum(ten) < 0.95 * 1_000)) {
                continue;
            }
            assertThat(sum(four)).isGreaterThan(0.95 * 400);
            assertThat(sum(ten)).isGreaterThan(0.95 * 1_000);
            assertThat(four).as("shares of 400").allMatch(share -> share >= 400 / 16.0 / 2);
            assertThat(ten).as("shares of 1,000").allMatch(share -> share >= 1_000 / 16.0 / 2);
            return;
        }
    }

    @Test
    void aChangeOfThroughputCountsAtOnce() {
        var container = container("changing", manual(400));
        assertThat(rate("changing")).isBetween(300.0, 450.0);
        container.replaceThroughput(manual(2_000)).block();
        assertThat(rate("changing")).isBetween(1_200.0, 2_200.0);
        container.replaceThroughput(manual(400)).block();
        assertThat(rate("changing")).isBetween(300.0, 450.0);
    }

    @Test
    void autoscaleRisesToItsMaximum() {
        var container = container("scaling", ThroughputProperties.createAutoscaledThroughput(1_000));
        assertThat(current("scaling")).isEqualTo(100);
        assertThat(rate("scaling")).isBetween(700.0, 1_100.0);
        assertThat(current("scaling")).isBetween(500, 1_000);
        assertThat(container.readThroughput().block().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(1_000);
    }

    @Test
    void containersShareWhatTheirDatabaseHas() {
        client.createDatabase("shared", manual(600)).block();
        var database = client.getDatabase("shared");
        database.createContainer("one", "/pk").block();
        database.createContainer("two", "/pk").block();
        double used = Flux.range(0, 400)
                .flatMap(i -> database.getContainer(i % 2 == 0 ? "one" : "two").createItem(item(i)), 32)
                .map(response -> response.getRequestCharge())
                .reduce(Double::sum)
                .block();
        long began = System.nanoTime();
        double more = Flux.range(400, 200)
                .flatMap(i -> database.getContainer(i % 2 == 0 ? "one" : "two").createItem(item(i)), 32)
                .map(response -> response.getRequestCharge())
                .reduce(Double::sum)
                .block();
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(used).isGreaterThan(more);
        assertThat(more / seconds).isLessThan(1.1 * 600 + 300 / seconds);
    }

    // ---- what the SDK makes of it ----

    @Test
    void theSdkTriesAgainUntilEverythingIsWritten() {
        var container = container("retried", manual(400));
        long began = System.nanoTime();
        double charged = Flux.range(0, 300)
                .flatMap(i -> container.createItem(item(i)), 40)
                .map(response -> response.getRequestCharge())
                .reduce(Double::sum)
                .block();
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(charged).as("more than is there at once").isGreaterThan(600);
        assertThat(seconds).as("had to wait").isGreaterThan((charged - 220) / 400 * 0.9);
        assertThat(count(container)).isEqualTo(300);
    }

    @Test
    void bulkGoesThroughToTheLastOperation() {
        var container = container("bulk", manual(400));
        var creates = Flux.range(0, 300).map(i -> CosmosBulkOperations.getCreateItemOperation(item(i), KEY));
        var statuses = container
                .executeBulkOperations(creates)
                .map(done -> {
                    assertThat(done.getException()).isNull();
                    return done.getResponse().getStatusCode();
                })
                .collectList()
                .block();
        assertThat(statuses).hasSize(300).containsOnly(201);
        assertThat(count(container)).isEqualTo(300);
    }

    @Test
    void whoDoesNotTryAgainIsToldWhenTo() {
        container("refused", manual(400));
        try (var impatient = impatient()) {
            var refusal = refusal(impatient.getDatabase("d").getContainer("refused"), new CosmosItemRequestOptions());
            assertThat(refusal.getSubStatusCode()).isEqualTo(3200);
            assertThat(refusal.getRetryAfterDuration()).isPositive().isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aControlGroupOfLowPriorityGivesWay() {
        container("priorities", manual(400));
        try (var low = impatient()) {
            var container = low.getDatabase("d").getContainer("priorities");
            container.enableLocalThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                    .groupName("low")
                    .targetThroughput(100_000)
                    .priorityLevel(PriorityLevel.LOW)
                    .build());
            var options = inGroup("low");
            container.createItem(item(0), KEY, options).block();
            var high = CompletableFuture.supplyAsync(() ->
                    sum(new Crowd(server).with(8, "priorities").run(Duration.ofSeconds(1), Duration.ofSeconds(3))));
            double used = 0;
            for (int i = 1; !high.isDone(); i++) {
                used += chargeOrNothing(container, i, options);
            }
            assertThat(high.join()).isBetween(300.0, 440.0);
            assertThat(used)
                    .as("in four seconds, with the half of the slack that is for all")
                    .isLessThan(400);
            pause();
            assertThat(container
                            .createItem(item(1_000_000), KEY, options)
                            .block()
                            .getStatusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void aControlGroupOfABucketHasItsShare() {
        container("buckets", manual(1_000));
        setBuckets("buckets", "[{\"id\":2,\"maxThroughputPercentage\":10}]");
        try (var impatient = impatient()) {
            var container = impatient.getDatabase("d").getContainer("buckets");
            container.enableServerThroughputControlGroup(new ThroughputControlGroupConfigBuilder()
                    .groupName("bucket")
                    .throughputBucket(2)
                    .build());
            var options = inGroup("bucket");
            assertThat(refusal(container, options).getSubStatusCode()).isEqualTo(3212);
            assertThat(container.createItem(item(1_000_000)).block().getStatusCode())
                    .isEqualTo(201);
        }
    }

    // ---- asking ----

    private static ThroughputProperties manual(int requestUnits) {
        return ThroughputProperties.createManualThroughput(requestUnits);
    }

    private static CosmosAsyncContainer container(String id, ThroughputProperties throughput) {
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

    private static double sum(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** What a few clients get of a container in a second, once they are at it. */
    private static double rate(String container) {
        return sum(new Crowd(server).with(8, container).run(Duration.ofSeconds(1), Duration.ofSeconds(2)));
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

    private static double chargeOrNothing(CosmosAsyncContainer container, int i, CosmosItemRequestOptions options) {
        try {
            return container.createItem(item(i), KEY, options).block().getRequestCharge();
        } catch (CosmosException refusal) {
            assertThat(refusal.getStatusCode()).isEqualTo(429);
            return 0;
        }
    }

    /** Writes many at once until one is refused. */
    private static CosmosException refusal(CosmosAsyncContainer container, CosmosItemRequestOptions options) {
        var refusal = Flux.range(0, 10_000)
                .flatMap(
                        i -> container
                                .createItem(item(i), KEY, options)
                                .then(Mono.<CosmosException>empty())
                                .onErrorResume(CosmosException.class, Mono::just),
                        50)
                .blockFirst();
        assertThat(refusal).isNotNull();
        assertThat(refusal.getStatusCode()).isEqualTo(429);
        return refusal;
    }

    private static void pause() {
        try {
            Thread.sleep(1_500);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
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
