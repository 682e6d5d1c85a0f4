package dev.orrery.engine.partition;

import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The regions of an account that all take writes of items, as one of them sees them.
 *
 * @param slot of this region; see {@link dev.orrery.engine.key.WriterSlot}
 * @param right whether it takes them now
 * @param isJoined whether it has all that the others had when it came to them
 * @param regions which ones there are now
 * @param nanos to measure times by
 */
public record Writers(
        int slot, WriteRight right, BooleanSupplier isJoined, Supplier<Regions> regions, LongSupplier nanos) {
    /**
     * The regions of an account.
     *
     * @param count how many there have ever been
     * @param names of those that there are now, by their slots
     */
    public record Regions(int count, Map<Integer, String> names) {
        public Regions {
            names = Map.copyOf(names);
        }

        Set<Integer> slots() {
            return names.keySet();
        }
    }
}
