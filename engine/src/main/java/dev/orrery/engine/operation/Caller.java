package dev.orrery.engine.operation;

import dev.orrery.model.SessionToken;
import java.util.Optional;

/** Who asks, and on which terms that hold for any operation. */
public record Caller(
        Principal principal,
        Optional<SessionToken> session,
        Optional<ConsistencyLevel> consistency,
        Intended intended,
        Spending spending) {

    /**
     * What a client believes to ask, from what it has learnt before. It is refused if that is not so any more.
     *
     * @param containerRid of the container that it names
     * @param range the range that it has chosen for the request by itself
     */
    public record Intended(Optional<String> containerRid, Optional<String> range) {
        public static final Intended ANYTHING = new Intended(Optional.empty(), Optional.empty());
    }

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
        return session.isEmpty() ? this : new Caller(principal, Optional.empty(), consistency, intended, spending);
    }

    /** The caller with what the account decides where it has not. */
    public Caller on(ConsistencyLevel level, Optional<Double> chargeMax) {
        return new Caller(principal, session, Optional.of(level), intended, spending.upTo(chargeMax));
    }

    /** The caller, asking for the container with this rid and for no other by the same name. */
    public Caller meaning(String containerRid) {
        return new Caller(
                principal, session, consistency, new Intended(Optional.of(containerRid), intended.range()), spending);
    }

    /** This one, asking on the terms of another as far as these have a price. */
    public Caller paying(Caller other) {
        return new Caller(principal, session, other.consistency, intended, other.spending);
    }

    public static Caller owner() {
        return of(new Principal.Owner());
    }

    /** Somebody without any wishes. */
    public static Caller of(Principal principal) {
        return new Caller(principal, Optional.empty(), Optional.empty(), Intended.ANYTHING, Spending.FREELY);
    }
}
