package dev.orrery.engine.replica;

import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.StoredItem;
import java.util.Optional;

/**
 * A change that was made in a region and reached no other before another took over.
 *
 * @param item what it wrote; none when it deleted
 */
public record LostChange(
        RangeId range, long epoch, long lsn, int sequence, LogEntry entry, Optional<StoredItem> item) {}
