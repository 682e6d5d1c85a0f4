package dev.orrery.engine.catalog;

import dev.orrery.model.key.EpkRange;
import java.util.List;

/**
 * A physical partition of a container.
 *
 * @param id never used twice in a container
 * @param parents the ranges it came from by splits, oldest first
 * @param version of the container's ranges in which it appeared
 */
public record Range(int id, EpkRange epks, List<Integer> parents, long version, long createdSecond) {

    public Range {
        parents = List.copyOf(parents);
    }

    /** As clients name it. */
    public String name() {
        return Integer.toString(id);
    }
}
