package dev.orrery.engine.feed;

import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;

/** Goes through the changes of one range in the order of their commits. */
public final class LogWalk implements AutoCloseable {
    private final Cursor cursor;
    private LogKey place;
    private LogEntry entry;

    /** The changes after one LSN, up to and including another. */
    public LogWalk(Snapshot snapshot, long after, long upTo) {
        cursor = snapshot.scan(new KeyRange(LogKey.after(after), LogKey.after(upTo)), Direction.FORWARD);
    }

    public boolean next() {
        if (!cursor.next()) {
            return false;
        }
        place = LogKey.decode(cursor.key());
        entry = LogEntry.decode(cursor.value());
        return true;
    }

    public LogKey place() {
        return place;
    }

    public LogEntry entry() {
        return entry;
    }

    /** An LSN with everything from a time on behind it. Times of changes never descend while their LSNs ascend. */
    static long before(Snapshot snapshot, long second, long lastLsn) {
        long low = 0; // All changes up to here are older.
        long high = lastLsn;
        while (low < high) {
            long middle = low + (high - low) / 2;
            try (var walk = new LogWalk(snapshot, middle, high)) {
                if (!walk.next() || walk.entry.second() >= second) {
                    high = middle;
                } else {
                    low = walk.place.lsn();
                }
            }
        }
        return low;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
