package dev.orrery.store.rocksdb;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The database that is worked with at present. When another one takes its place, who is inside stays until he is done. */
final class Current {

    private volatile Database database;
    private final Deque<Database> left = new ArrayDeque<>();

    Current(Database database) {
        this.database = database;
    }

    /** Whoever enters leaves, by the lifetime of what he got. */
    Database enter() {
        return tryEnter().orElseThrow(() -> new IllegalStateException("The store is closed"));
    }

    /** Empty when the store is closed. */
    Optional<Database> tryEnter() {
        while (true) {
            var now = database;
            if (now.lifetime().tryEnter()) {
                return Optional.of(now);
            }
            if (now.equals(database)) {
                return Optional.empty();
            }
        }
    }

    /** For the one who replaces it. */
    Database database() {
        return database;
    }

    /** From now on, all that come go to another one. */
    synchronized void replace(Database next) {
        left.add(database);
        database = next;
    }

    /** Closes those that have been replaced; false as long as somebody is inside. */
    synchronized boolean closeLeft(Duration patience) {
        while (!left.isEmpty() && left.getFirst().lifetime().end(patience)) {
            left.removeFirst().close();
        }
        return left.isEmpty();
    }
}
