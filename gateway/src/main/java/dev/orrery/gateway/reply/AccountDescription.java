package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What clients learn about the account before they do anything else.
 *
 * @param id must not be {@code localhost}: the JavaScript SDK would read the account again before nearly every request
 * @param writable the regions that accept writes, the preferred one first
 * @param readable the regions that serve reads, the preferred one first
 * @param staleness how far regions may be behind at bounded staleness
 */
public record AccountDescription(
        String id,
        List<Region> writable,
        List<Region> readable,
        ConsistencyLevel defaultConsistency,
        Staleness staleness) {

    /**
     * A region; without an endpoint of its own it is reached where the client has reached us, at another port if it has one of
     * its own.
     */
    public record Region(String name, Optional<String> endpoint, OptionalInt port) {
        /** One that everybody reaches at the same place. */
        public static Region at(String name, String endpoint) {
            return new Region(name, Optional.of(endpoint), OptionalInt.empty());
        }

        /** One on the same machine as the one that was asked. */
        public static Region beside(String name, int port) {
            return new Region(name, Optional.empty(), OptionalInt.of(port));
        }
    }

    /** How many versions of a range, and how much time, a region may be behind. */
    public record Staleness(int versions, Duration time) {
        public static final Staleness DEFAULT = new Staleness(100, Duration.ofSeconds(5));
    }

    public AccountDescription {
        if (id.equals("localhost")) {
            throw new IllegalArgumentException("the account must not be called localhost");
        }
        writable = List.copyOf(writable);
        readable = List.copyOf(readable);
    }

    /** An account with one region. */
    public static AccountDescription of(String id, String region, ConsistencyLevel defaultConsistency) {
        var only = List.of(new Region(region, Optional.empty(), OptionalInt.empty()));
        return new AccountDescription(id, only, only, defaultConsistency, Staleness.DEFAULT);
    }

    public AccountDescription withStaleness(Staleness bound) {
        return new AccountDescription(id, writable, readable, defaultConsistency, bound);
    }
}
