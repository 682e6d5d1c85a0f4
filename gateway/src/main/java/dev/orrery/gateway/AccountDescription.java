package dev.orrery.gateway;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import java.util.List;
import java.util.Optional;

/**
 * What clients learn about the account before they do anything else.
 *
 * @param id must not be {@code localhost}: the JavaScript SDK would read the account again before nearly every request
 * @param writable the regions that accept writes, the preferred one first
 * @param readable the regions that serve reads, the preferred one first
 */
public record AccountDescription(
        String id, List<Region> writable, List<Region> readable, ConsistencyLevel defaultConsistency) {

    /** A region; without an endpoint of its own it is reached where the client has reached us. */
    public record Region(String name, Optional<String> endpoint) {}

    public AccountDescription {
        if (id.equals("localhost")) {
            throw new IllegalArgumentException("the account must not be called localhost");
        }
        writable = List.copyOf(writable);
        readable = List.copyOf(readable);
    }

    /** An account with one region. */
    public static AccountDescription of(String id, String region, ConsistencyLevel defaultConsistency) {
        var only = List.of(new Region(region, Optional.empty()));
        return new AccountDescription(id, only, only, defaultConsistency);
    }
}
