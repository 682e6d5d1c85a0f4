package dev.orrery.example.publishing.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The people of one region, each of whom does one thing again and again until they are sent home. */
final class Crowd {
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final List<Thread> people = new ArrayList<>();
    private volatile boolean home;

    Crowd(Region here, Actions actions, Sightings sightings) {
        repeat(actions::publish, 1_500);
        repeat(actions::subscribe, 2_000);
        repeat(actions::review, 500);
        repeat(actions::readFeed, 500);
        repeat(actions::readArticle, 500);
        // All editors publish the same news, at the same moment.
        people.add(Thread.startVirtualThread(() -> {
            while (!home) {
                actions.publishNews();
                LockSupport.parkNanos(REST_NANOS);
            }
        }));
        // Somebody looks for every review that was written anywhere, until it is seen here.
        people.add(Thread.startVirtualThread(() -> {
            while (!home) {
                sightings.next(here).ifPresent(actions::readReviews);
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }));
    }

    private void repeat(Runnable action, long everyMillis) {
        people.add(Thread.startVirtualThread(() -> {
            while (!home) {
                long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(everyMillis);
                action.run();
                while (!home && System.nanoTime() < next) {
                    LockSupport.parkNanos(Math.clamp(next - System.nanoTime(), 1, REST_NANOS));
                }
            }
        }));
    }

    /** Returns when everybody has finished what they were doing. */
    void goHome() {
        home = true;
        for (var person : people) {
            try {
                person.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
