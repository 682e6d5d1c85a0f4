package dev.orrery.sql.spatial;

/** Says in a sentence for people why a value is no valid shape. */
public final class InvalidShapeException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidShapeException(String reason) {
        // No stack trace: in a query over all kinds of items this is an answer like any other.
        super(reason, null, false, false);
    }
}
