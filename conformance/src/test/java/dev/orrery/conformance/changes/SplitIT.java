package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ThroughputProperties;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.SharedServer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges split while writers write and readers of all kinds follow. */
class SplitIT {
    private static final int WRITERS = 8;

    @TempDir
    Path folder;

    @ParameterizedTest(name = "in Direct mode: {0}")
    @ValueSource(booleans = {false, true})
    void readersOfAllKindsFollowThroughSplitsAndLoseNothing(boolean direct) {
        var deliveries = new EnumMap<Manner, Delivery>(Manner.class);
        Stream.of(Manner.values())
                .forEach(manner -> deliveries.put(manner, new Delivery(folder.resolve(manner.name()))));
        var pulled = new Delivery(folder.resolve("pulled"));
        try (var feed = new Feed(
                        SharedServer.running(),
                        direct ? CosmosClientBuilder::directMode : CosmosClientBuilder::gatewayMode);
                var processors = new Processors()) {
            var container = feed.container("split", 400);
            deliveries.forEach((manner, delivery) -> processors.add(
                    Processor.start(manner, Pace.CALM, feed.followed(), "split", manner.name(), delivery)));
            processors.awaitLeases(1);
            try (var writers = Writers.start(container, WRITERS);
                    var pull = PullFollower.start(container, pulled)) {
                writers.awaitMore(100);
                grow(container, 10_100, 2);
                writers.awaitMore(100);
                grow(container, 30_100, 4);
                processors.awaitLeases(4);
                writers.awaitMore(100);
                var acknowledged = writers.stop();

                Await.until(
                        "the pull model delivers everything",
                        () -> pulled.reached().equals(acknowledged));
                // The SDK follows one split while it fills a page; a second one, which comes right after, ends the
                // page.
                assertThat(pull.refusals()).allMatch(refusal -> refusal.getStatusCode() == 410);
                deliveries.forEach((manner, delivery) -> Await.until(
                        manner + " delivers everything",
                        () -> delivery.reached().equals(acknowledged)));
                assertThatALateReaderFindsAll(container, acknowledged);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void applicationsSeeNothingOfSplitsWhileTheyReadAndQuery(ClientMode mode) {
        try (var feed = new Feed(SharedServer.running(), mode::to)) {
            var container = feed.container("read", 400);
            try (var writers = Writers.start(container, WRITERS);
                    var readers = Readers.start(container)) {
                readers.awaitMore(3);
                grow(container, 10_100, 2);
                readers.awaitMore(3);
                grow(container, 30_100, 4);
                readers.awaitMore(3);
                assertThat(readers.problems()).isEmpty();
                assertThat(writers.refusals())
                        .as("but for what took longer than the SDK waits")
                        .allMatch(refusal -> refusal.getStatusCode() == 408);
            }
        }
    }

    private static void grow(CosmosContainer container, int units, int ranges) {
        container.replaceThroughput(ThroughputProperties.createManualThroughput(units));
        Await.until(
                "there are " + ranges + " ranges",
                () -> container.getFeedRanges().size() == ranges);
    }

    private void assertThatALateReaderFindsAll(CosmosContainer container, Map<String, Integer> acknowledged) {
        var late = new Delivery(folder.resolve("late"));
        try (var _ = PullFollower.start(container, late)) {
            Await.until("a late reader gets everything", () -> late.reached().equals(acknowledged));
        }
    }
}
