package dev.orrery.gateway.http;

import java.io.Serial;

/** Ends the reading of a request that cannot be served; nothing after it on the connection can be trusted. */
final class RefusedRequestException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    RefusedRequestException(Refusal refusal) {
        // Clients decide how often this is thrown, so it must be cheap: no stack trace.
        super(refusal.name(), null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
