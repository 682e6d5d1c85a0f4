package dev.orrery.engine.partition;

/** The range is being split, and takes no upkeep meanwhile. Nothing was changed; it is due again later. */
public final class RangeBusy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RangeBusy() {
        super("The range is being split", null, false, false);
    }
}
