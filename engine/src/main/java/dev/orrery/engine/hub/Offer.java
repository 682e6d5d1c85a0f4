package dev.orrery.engine.hub;

import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.replica.RangeId;
import java.util.List;

/** What a region has written to a range and wants to be settled, in its order. */
public record Offer(RangeId range, List<Tentative> writes) {
    public Offer {
        writes = List.copyOf(writes);
    }
}
