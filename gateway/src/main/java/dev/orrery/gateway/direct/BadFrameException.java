package dev.orrery.gateway.direct;

import java.io.Serial;

/** What arrived is no frame, and nothing sane can follow it on the same connection. */
final class BadFrameException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    BadFrameException(String message) {
        super(message, null, false, false);
    }
}
