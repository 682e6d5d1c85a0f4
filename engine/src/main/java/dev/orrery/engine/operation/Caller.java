package dev.orrery.engine.operation;

import dev.orrery.model.SessionToken;
import java.util.Optional;

/** Who asks, and on which terms that hold for any operation. */
public record Caller(
        Principal principal,
        Optional<SessionToken> session,
        Optional<ConsistencyLevel> consistency,
        Optional<String> intendedContainerRid,
        Spending spending) {

    /**
     * How a request may use throughput.
     *
     * @param bucket the throughput bucket that it is counted to as well
     * @param chargeMax what it may cost at most; it is refused rather than carried out for more
     */
    public record Spending(Priority priority, Optional<Integer> bucket, Optional<Double> chargeMax) {
        public static final Spending FREELY = new Spending(Priority.HIGH, Optional.empty(), Optional.empty());

        public Spending upTo(Optional<Double> most) {
            return most.isEmpty() || chargeMax.filter(own -> own <= most.get()).isPresent()
                    ? this
                    : new Spending(priority, bucket, most);
        }
    }

    /** Where throughput is short, those of low priority are the first to wait. */
    public enum Priority {
        HIGH,
        LOW
    }

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
        return session.isEmpty()
                ? this
                : new Caller(principal, Optional.empty(), consistency, intendedContainerRid, spending);
    }

    /** The caller with what the account decides where it has not. */
    public Caller on(ConsistencyLevel level, Optional<Double> chargeMax) {
        return new Caller(principal, session, Optional.of(level), intendedContainerRid, spending.upTo(chargeMax));
    }

    /** The caller, asking for the container with this rid and for no other by the same name. */
    public Caller meaning(String containerRid) {
        return new Caller(principal, session, consistency, Optional.of(containerRid), spending);
    }

    /** This one, asking on the terms of another as far as these have a price. */
    public Caller paying(Caller other) {
        return new Caller(principal, session, other.consistency, intendedContainerRid, other.spending);
    }

    public static Caller owner() {
        return of(new Principal.Owner());
    }

    /** Somebody without any wishes. */
    public static Caller of(Principal principal) {
        return new Caller(principal, Optional.empty(), Optional.empty(), Optional.empty(), Spending.FREELY);
    }
}
