package dev.orrery.engine.observe;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.operation.Outcome;
import java.util.List;

/** Told what is asked of each container, on the way of the request itself: must take next to no time. */
public interface Observer {
    /** An item was read by its key. */
    void read(Container container, ItemKey key, Outcome outcome);

    /** An item was written; null stands for no version. */
    void wrote(Container container, ItemKey key, StoredItem before, StoredItem after, Bill bill);

    /** A request of a query was answered. */
    void queried(Container container, QueryCall call);

    /**
     * A query was refused for want of an index.
     *
     * @param index the path that it takes, or the parts of a composite index
     */
    void refused(Container container, String pattern, List<String> index, Refusals refusal);

    /** A script asked for something. */
    void scripted(Container container, String pattern);
}
