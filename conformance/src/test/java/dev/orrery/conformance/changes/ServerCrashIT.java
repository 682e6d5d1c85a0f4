package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosContainer;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server dies while writers write and readers of all kinds follow. */
class ServerCrashIT {
    private static final int WRITERS = 8;
    private static final int KILLS = 2;
    private static final int UNITS_FOR_THREE_RANGES = 18_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void everyAcknowledgedWriteReachesReadersOfAllKindsAfterKillsOfTheServer(ClientMode mode) {
        var deliveries = new EnumMap<Manner, Delivery>(Manner.class);
        Stream.of(Manner.values())
                .forEach(manner -> deliveries.put(manner, new Delivery(folder.resolve(manner.name()))));
        var pulled = new Delivery(folder.resolve("pulled"));
        try (var server = OrreryServer.start(folder.resolve("data"));
                var feed = new Feed(server, mode::withItsDefaults);
                var processors = new Processors()) {
            var container = feed.container("crash", UNITS_FOR_THREE_RANGES);
            deliveries.forEach((manner, delivery) -> processors.add(
                    Processor.start(manner, Pace.BRISK, feed.followed(), "crash", manner.name(), delivery)));
            processors.awaitLeases(3);
            try (var writers = Writers.start(container, WRITERS);
                    var _ = PullFollower.start(container, pulled)) {
                for (int kill = 0; kill < KILLS; kill++) {
                    writers.awaitMore(200);
                    server.kill();
                    server.restart();
                }
                writers.awaitMore(200);
                var acknowledged = writers.stop();

                Await.until(
                        "the pull model delivers everything",
                        () -> pulled.reached().equals(acknowledged));
                deliveries.forEach((manner, delivery) -> Await.until(
                        manner + " delivers everything",
                        () -> delivery.reached().equals(acknowledged)));
                assertThatALateReaderFindsAll(container, acknowledged);
            }
        }
    }

    private void assertThatALateReaderFindsAll(CosmosContainer container, Map<String, Integer> acknowledged) {
        var late = new Delivery(folder.resolve("late"));
        try (var _ = PullFollower.start(container, late)) {
            Await.until("a late reader gets everything", () -> late.reached().equals(acknowledged));
        }
    }
}
