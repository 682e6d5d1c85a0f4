package dev.orrery.engine.advice;

import dev.orrery.model.Limits;
import dev.orrery.model.key.PartitionKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The partition keys that use the most. Those that are kept are bounded in number: a new one takes the place, and the
 * figure, of the least of them, so that a figure is never too low, and too high by no more than that.
 */
final class HotKeys {
    private final Map<PartitionKey, Use> uses = new HashMap<>();
    private double total;

    private static final class Use {
        private double charge;
        private final double inherited;

        Use(double inherited) {
            this.charge = inherited;
            this.inherited = inherited;
        }
    }

    synchronized void add(PartitionKey key, double charge) {
        total += charge;
        var use = uses.get(key);
        if (use == null) {
            use = new Use(uses.size() < Limits.ADVICE_KEYS_MAX ? 0 : removeLeast());
            uses.put(key, use);
        }
        use.charge += charge;
    }

    // A loop rather than a stream: with many keys this is done for every key that is noted.
    private double removeLeast() {
        Map.Entry<PartitionKey, Use> least = null;
        for (var entry : uses.entrySet()) {
            if (least == null || entry.getValue().charge < least.getValue().charge) {
                least = entry;
            }
        }
        double charge = least.getValue().charge;
        uses.remove(least.getKey());
        return charge;
    }

    /** A key with the share of all charges that it has at least. */
    record Hot(PartitionKey key, double share) {}

    /** The busiest first. */
    synchronized List<Hot> figures() {
        return uses.entrySet().stream()
                .map(entry -> new Hot(
                        entry.getKey(),
                        total == 0 ? 0 : (entry.getValue().charge - entry.getValue().inherited) / total))
                .sorted(Comparator.comparingDouble(Hot::share).reversed())
                .toList();
    }
}
