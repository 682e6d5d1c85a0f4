package dev.orrery.model;

import java.util.Objects;

/** Carries a {@link Failure} to whoever answers the request; it is an answer and not a bug, so it records no stack. */
public final class FailureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    public FailureException(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = Objects.requireNonNull(failure);
    }

    public Failure failure() {
        return failure;
    }
}
