package dev.orrery.engine.partition;

import dev.orrery.engine.key.Epochs;
import dev.orrery.model.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who still has to read the log of a range, each under a name, and how far he has come. What he has not read is kept for
 * him, up to a bound: one who is farther behind is let go of, and has to begin anew from a copy.
 */
public final class LogReaders {
    /** The name of what clients of this region write to, where several regions write. */
    public static final String CLIENTS = "clients of this region";

    private final Map<String, Long> reached = new ConcurrentHashMap<>();

    /** Notes that a reader has everything up to an LSN; from now on what comes behind is kept for him. Who begins anew goes back. */
    public void note(String name, long lsn) {
        reached.put(name, lsn);
    }

    /** Keeps nothing for a reader any more. */
    public void dismiss(String name) {
        reached.remove(name);
    }

    /**
     * Up to where the log may be shortened.
     *
     * @param forgottenLsn up to where it has been already
     * @param lastLsn of the range
     * @param epochs of the range: between them are LSNs that no change has
     */
    public long trimmable(long forgottenLsn, long lastLsn, Epochs epochs) {
        reached.values()
                .removeIf(lsn -> epochs.changes(Math.max(lsn, forgottenLsn), lastLsn) > Limits.LOG_KEPT_CHANGES_MAX);
        return reached.values().stream().mapToLong(lsn -> lsn).min().orElse(Long.MAX_VALUE);
    }
}
