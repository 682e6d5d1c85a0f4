package dev.orrery.example.publishing.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks the servers again and again how far the copies of each account are behind. */
final class LagWatch implements AutoCloseable {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    /**
     * How far a copy was behind.
     *
     * @param account the region that the account is written in at first
     * @param here where the copy is
     * @param millis the age of the first change that it lacked
     */
    record Lag(Region account, Region here, double atMillis, double millis) {}

    private final List<Lag> lags = new ArrayList<>();
    private final Thread watcher;
    private volatile boolean closed;

    LagWatch(List<AccountServers> accounts, Diary diary) {
        watcher = Thread.startVirtualThread(() -> {
            while (!closed) {
                accounts.forEach(account -> look(account, diary));
                Demo.pause(LOOK_AGAIN);
            }
        });
    }

    private void look(AccountServers account, Diary diary) {
        for (var region : account.regions()) {
            account.lagMillis(region).ifPresent(millis -> add(new Lag(account.home(), region, diary.now(), millis)));
        }
    }

    private synchronized void add(Lag lag) {
        lags.add(lag);
    }

    synchronized List<Lag> all() {
        return List.copyOf(lags);
    }

    @Override
    public void close() {
        closed = true;
        try {
            watcher.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
