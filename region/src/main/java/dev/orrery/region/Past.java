package dev.orrery.region;

import dev.orrery.region.RegionStatus.Failover;
import java.util.Optional;

/**
 * What a region has lived through, and knows when it is started again, too.
 *
 * @param lostChanges how many changes of this region went to the conflicts, or were put aside
 */
public record Past(Optional<Failover> lastFailover, long lostChanges) {
    public static final Past NONE = new Past(Optional.empty(), 0);

    /** Where it is kept. */
    public interface Diary {
        Past read();

        void write(Past past);
    }
}
