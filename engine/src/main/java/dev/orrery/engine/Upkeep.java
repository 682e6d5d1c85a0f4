package dev.orrery.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the database does from time to time without being asked. A job that fails stops neither the others nor itself. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** @param name what it does, for the log */
    record Job(String name, Runnable work) {}

    private final ScheduledExecutorService timer;
    private final List<ScheduledFuture<?>> schedules = new ArrayList<>();

    Upkeep(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** Has jobs done one after another, again and again, until {@link #stop}. */
    void every(long millis, List<Job> jobs) {
        schedules.add(timer.scheduleWithFixedDelay(() -> run(jobs), millis, millis, TimeUnit.MILLISECONDS));
    }

    static void run(List<Job> jobs) {
        for (var job : jobs) {
            try {
                job.work().run();
            } catch (RuntimeException
                    | Error problem) { // A timer forgets whatever throws, and it would never be done again.
                LOG.warn("{} failed; it will be tried again", job.name(), problem);
            }
        }
    }

    /** Begins nothing any more. */
    void stop() {
        schedules.forEach(schedule -> schedule.cancel(false));
    }
}
