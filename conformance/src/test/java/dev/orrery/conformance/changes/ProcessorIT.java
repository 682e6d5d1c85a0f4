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
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Java SDK's change feed processor, in all its manners. */
@Execution(ExecutionMode.CONCURRENT) // Each test mostly waits.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ProcessorIT {
    private static final int UNITS_FOR_THREE_RANGES = 20_100;

    private static Feed feed;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        feed = new Feed(SharedServer.running());
    }

    @AfterAll
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
            // A poll that was under way when it stopped may have brought some of them.
            Await.until("the lag tells what is missing", () -> processor.lag() == missing(writers, delivery));
            assertThat(missing(writers, delivery)).isPositive();
            if (manner == Manner.RANGE_LEASES) {
                assertThat(processor.estimatedLag()).isEqualTo(missing(writers, delivery));
            }
        }
        long before = delivery.countOf("first");
        try (var processor = Processor.start(manner, Pace.CALM, feed.followed(), name, "second", delivery)) {
            Await.until("the rest is delivered", () -> delivery.reached().equals(writers.acknowledged()));
            Await.until("nothing is left", () -> processor.lag() == 0);
        }
        assertThat(delivery.countOf("first")).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void whenOneOfTwoHostsIsKilledTheOtherTakesItsLeasesAndNothingIsLost(Manner manner) {
        var name = "kill-" + manner;
        var container = feed.container(name, UNITS_FOR_THREE_RANGES);
        var delivery = new Delivery(folder.resolve("delivery"));
        try (var survivor = Processor.start(manner, Pace.BRISK, feed.followed(), name, "survivor", delivery)) {
            Await.until(
                    "all leases are taken and have a place",
                    () -> survivor.state().size() == 3
                            && survivor.owners().equals(Set.of("survivor"))
                            && survivor.lag() == 0);
            try (var writers = Writers.start(container, 12);
                    var victim = HostProcess.start(
                            SharedServer.running(), manner, feed.database(), name, "victim", delivery)) {
                Await.until("the second host has its share", () -> delivery.countOf("victim") >= 20);
                assertThat(survivor.owners()).contains("victim");
                victim.kill();
                writers.awaitMore(50);
                Await.until(
                        "the first host has all leases again",
                        () -> survivor.owners().equals(Set.of("survivor")));
                writers.awaitMore(50);
                writers.stop();
                Await.until("everything is delivered", () -> delivery.reached().equals(writers.acknowledged()));
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
        processor.start().block(Duration.ofSeconds(60));
        try {
            Await.until("the lease knows where it started", () -> {
                var state = processor.getCurrentState().block(Duration.ofSeconds(60));
                return state.size() == 1 && state.getFirst().getEstimatedLag() == 0;
            });
            var item = JsonNodeFactory.instance.objectNode().put("id", "a").put("pk", "p");
            container.createItem(item.put("n", 1));
            container.upsertItem(item.put("n", 2));
            container.deleteItem("a", new PartitionKey("p"), new CosmosItemRequestOptions());
            container.createItem(item.put("n", 3).put("ttl", 1));
            Await.until("all five changes came", () -> seen.size() >= 5);
        } finally {
            processor.stop().block(Duration.ofSeconds(60));
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

    /** Twelve logical partitions are spread over all ranges. */
    private static int missing(Writers writers, Delivery delivery) {
        return writers.count()
                - delivery.reached().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    private static void writeEverywhere(Writers writers, int from, int to) {
        for (int n = from; n <= to; n++) {
            for (int i = 0; i < 12; i++) {
                writers.writeOne("key-" + i, n);
            }
        }
    }
}
