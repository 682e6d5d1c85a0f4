package dev.orrery.engine.operation;

import dev.orrery.model.SessionToken;
import java.util.Optional;

/** Who asks, and on which terms that hold for any operation. */
public record Caller(
        Principal principal,
        Optional<SessionToken> session,
        Optional<ConsistencyLevel> consistency,
        Optional<String> intendedContainerRid) {

    /** What a proven identity may do. */
    public sealed interface Principal {
        /** Holder of a primary or secondary key. */
        record Owner() implements Principal {}

        /** Holder of a read-only key. */
        record Reader() implements Principal {}

        /** Holder of the token of a permission; {@link dev.orrery.engine.Database} proves and limits it. */
        record TokenHolder(String token) implements Principal {}
    }

    /** From strongest to weakest. */
    public enum ConsistencyLevel {
        STRONG("Strong"),
        BOUNDED_STALENESS("BoundedStaleness"),
        SESSION("Session"),
        CONSISTENT_PREFIX("ConsistentPrefix"),
        EVENTUAL("Eventual");

        private final String label;

        ConsistencyLevel(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public Caller withoutSession() {
        return session.isEmpty() ? this : new Caller(principal, Optional.empty(), consistency, intendedContainerRid);
    }

    /** The caller, asking for the container with this rid and for no other by the same name. */
    public Caller meaning(String containerRid) {
        return new Caller(principal, session, consistency, Optional.of(containerRid));
    }

    public static Caller owner() {
        return new Caller(new Principal.Owner(), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
