package dev.orrery.engine.partition;

import dev.orrery.model.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who still has to read the log of a range, each under a name, and how far he has come. What he has not read is kept for
 * him, up to a bound: one who is farther behind is let go of, and has to begin anew from a copy.
 */
public final class LogReaders {
    private final Map<String, Long> reached = new ConcurrentHashMap<>();

    /** Notes that a reader has everything up to an LSN; from now on what comes behind is kept for him. */
    public void note(String name, long lsn) {
        reached.merge(name, lsn, Math::max);
    }

    /** Keeps nothing for a reader any more. */
    public void dismiss(String name) {
        reached.remove(name);
    }

    /**
     * Up to where the log may be shortened.
     *
     * @param lastLsn of the range
     */
    public long trimmable(long lastLsn) {
        reached.values().removeIf(lsn -> lastLsn - lsn > Limits.LOG_KEPT_CHANGES_MAX);
        return reached.values().stream().mapToLong(lsn -> lsn).min().orElse(Long.MAX_VALUE);
    }
}
