package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.Upkeep.Job;
import dev.orrery.store.Await;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpkeepTest {

    @Test
    void aJobThatFailsStopsNeitherTheOthersNorItself() {
        var failing = new AtomicInteger();
        var behind = new AtomicInteger();
        try (var timer = Executors.newSingleThreadScheduledExecutor()) {
            var upkeep = new Upkeep(timer);
            upkeep.every(
                    1,
                    List.of(
                            new Job("failing", () -> {
                                failing.incrementAndGet();
                                throw new AssertionError("on purpose");
                            }),
                            new Job("behind it", behind::incrementAndGet)));
            Await.until("both jobs are done again and again", () -> failing.get() >= 3 && behind.get() >= 3);
            upkeep.stop();
        }
        assertThat(behind.get()).isEqualTo(failing.get());
    }
}
