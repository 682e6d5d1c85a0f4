package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.models.ChangeFeedOperationType;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Java SDK's change feed processor, in all its manners. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ProcessorIT {
    private static final int UNITS_FOR_THREE_RANGES = 18_000;

    /** Logical partitions, enough to be in all ranges. */
    private static final int KEYS = 12;

    private static Feed feed;

    @Parameter
    ClientMode mode;

    @TempDir
    Path folder;

    @BeforeParameterizedClassInvocation
    static void open(ClientMode mode) {
        feed = new Feed(SharedServer.running(), mode::to);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        feed.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyWriteReachesAProcessorAndTheLagTellsWhatIsMissing(Manner manner) {
        var name = "lag-" + manner;
        var container = feed.container(name, UNITS_FOR_THREE_RANGES);
        var delivery = new Delivery(folder.resolve("delivery"));
        var writers = new Writers(container);
        if (manner != Manner.ALL_VERSIONS) {
            writeEverywhere(writers, 1, 5); // There before the processor is.
        }
        try (var processor = Processor.start(manner, Pace.CALM, feed.followed(), name, "first", delivery)) {
            Await.until(
                    "all leases are taken",
                    () -> processor.state().size() == 3 && processor.owners().equals(Set.of("first")));
            if (manner == Manner.ALL_VERSIONS) {
                Await.until("all leases know where they started", () -> processor.lag() == 0);
                writeEverywhere(writers, 1, 5);
            }
            writeEverywhere(writers, 6, 10);
            Await.until("everything is delivered", () -> delivery.reached().equals(writers.acknowledged()));
            Await.until("nothing is left", () -> processor.lag() == 0);
            if (manner == Manner.RANGE_LEASES) {
                assertThat(processor.estimatedLag()).isZero();
            }

            processor.stop();
            writeEverywhere(writers, 11, 14);
            // A poll that was under way when it stopped may have brought some of them, and may not have noted that.
            assertThat(processor.lag())
                    .as("the lag tells what is missing")
                    .isBetween(missing(writers, delivery), 4 * KEYS);
            if (manner == Manner.RANGE_LEASES) {
                assertThat(processor.estimatedLag()).isBetween(missing(writers, delivery), 4 * KEYS);
            }
        }
        long before = delivery.countOf("first");
        try (var processor = Processor.start(manner, Pace.HEIR, feed.followed(), name, "second", delivery)) {
            Await.until("the rest is delivered", () -> delivery.reached().equals(writers.acknowledged()));
            Await.until("nothing is left", () -> processor.lag() == 0);
        }
        assertThat(delivery.countOf("first")).isEqualTo(before);
    }

    /** In all manners at once, because each mostly waits. */
    @Test
    void whenOneOfTwoHostsIsKilledTheOtherTakesItsLeasesAndNothingIsLost() {
        var name = "kill";
        var container = feed.container(name, UNITS_FOR_THREE_RANGES);
        var deliveries = new EnumMap<Manner, Delivery>(Manner.class);
        for (var manner : Manner.values()) {
            deliveries.put(manner, new Delivery(folder.resolve(manner.name())));
        }
        try (var survivors = new Processors()) {
            deliveries.forEach((manner, delivery) ->
                    survivors.add(Processor.start(manner, Pace.BRISK, feed.followed(), name, "survivor", delivery)));
            survivors.awaitOwner("survivor", 3);
            survivors.awaitNothingLeft();
            try (var writers = Writers.start(container, 12);
                    var victim = HostProcess.start(
                            SharedServer.running(), mode, feed.database(), name, "victim", deliveries)) {
                deliveries.forEach((manner, delivery) -> Await.until(
                        "the second host has its share of " + manner, () -> delivery.countOf("victim") >= 20));
                victim.kill();
                writers.awaitMore(50);
                survivors.awaitOwner("survivor", 3);
                writers.awaitMore(50);
                writers.stop();
                deliveries.forEach((manner, delivery) ->
                        Await.value(manner + " delivers everything", delivery::reached, writers.acknowledged()));
            }
        }
    }

    @Test
    void allVersionsComeWithWhatHappenedToThem() {
        var name = "versions";
        var container = feed.container(
                new CosmosContainerProperties(name, "/pk")
                        .setDefaultTimeToLiveInSeconds(-1)
                        .setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(5))),
                400);
        var seen = new CopyOnWriteArrayList<ChangeFeedProcessorItem>();
        var processor = new ChangeFeedProcessorBuilder()
                .hostName("only")
                .feedContainer(feed.followed().getContainer(name))
                .leaseContainer(feed.followed().getContainer("leases"))
                .options(Processor.options(Manner.ALL_VERSIONS, Pace.CALM, name))
                .handleAllVersionsAndDeletesChanges((items, context) -> seen.addAll(items))
                .buildChangeFeedProcessor();
        processor.start().block(Await.PATIENCE);
        try {
            Await.until("the lease knows where it started", () -> {
                var state = processor.getCurrentState().block(Await.PATIENCE);
                return state.size() == 1 && state.getFirst().getEstimatedLag() == 0;
            });
            var item = JsonNodeFactory.instance.objectNode().put("id", "a").put("pk", "p");
            container.createItem(item.put("n", 1));
            container.upsertItem(item.put("n", 2));
            container.deleteItem("a", new PartitionKey("p"), new CosmosItemRequestOptions());
            container.createItem(item.put("n", 3).put("ttl", 1));
            Await.until("all five changes came", () -> seen.size() >= 5);
        } finally {
            processor.stop().block(Await.PATIENCE);
        }
        assertThat(seen)
                .extracting(change -> change.getChangeFeedMetaData().getOperationType())
                .containsExactly(
                        ChangeFeedOperationType.CREATE,
                        ChangeFeedOperationType.REPLACE,
                        ChangeFeedOperationType.DELETE,
                        ChangeFeedOperationType.CREATE,
                        ChangeFeedOperationType.DELETE);
        assertThat(seen)
                .extracting(change -> change.getChangeFeedMetaData().isTimeToLiveExpired())
                .containsExactly(false, false, false, false, true);
        assertThat(List.of(seen.get(1), seen.get(2), seen.get(4)))
                .extracting(change -> change.getPrevious().path("n").intValue())
                .containsExactly(1, 2, 3);
        assertThat(seen.get(1).getChangeFeedMetaData().getPreviousLogSequenceNumber())
                .isEqualTo(seen.get(0).getChangeFeedMetaData().getLogSequenceNumber());
    }

    private static int missing(Writers writers, Delivery delivery) {
        return writers.count()
                - delivery.reached().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    private static void writeEverywhere(Writers writers, int from, int to) {
        for (int n = from; n <= to; n++) {
            for (int i = 0; i < KEYS; i++) {
                writers.writeOne("key-" + i, n);
            }
        }
    }
}
