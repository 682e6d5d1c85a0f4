package dev.orrery.engine.partition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;

/**
 * Whether changes are made in this copy of the data, or come from another one. Lanes look at it when the turn of a change
 * has come: what was let in before the right was lost is refused there.
 */
public final class WriteRight {
    /** Why there is none; null while there is. */
    private volatile String refusal;

    public boolean isHeld() {
        return refusal == null;
    }

    /** Refuses where another copy takes the writes. */
    public void demand() {
        var reason = refusal;
        if (reason != null) {
            throw new FailureException(new Failure.WriteForbidden(reason));
        }
    }

    public void grant() {
        refusal = null;
    }

    /**
     * Takes the right away.
     *
     * @param reason told to whoever wants to write
     */
    public void withdraw(String reason) {
        refusal = reason;
    }
}
