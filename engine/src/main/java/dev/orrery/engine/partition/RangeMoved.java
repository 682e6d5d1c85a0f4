package dev.orrery.engine.partition;

/**
 * The range no longer takes work here: it was split, its container deleted, or it must be opened anew. Nothing was
 * changed; whoever sent the work finds the range again and repeats it.
 */
public final class RangeMoved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RangeMoved() {
        super("The range has moved", null, false, false);
    }
}
