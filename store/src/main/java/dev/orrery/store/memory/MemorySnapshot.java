package dev.orrery.store.memory;

import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A partition's state, held still. */
record MemorySnapshot(MemoryPartition.State state) implements Snapshot {

    @Override
    public long lsn() {
        return state.lsn();
    }

    @Override
    public byte[] get(byte[] key) {
        byte[] value = state.rows().get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public List<byte[]> multiGet(List<byte[]> keys) {
        var values = new ArrayList<byte[]>(keys.size()); // List.copyOf refuses nulls.
        for (byte[] key : keys) {
            values.add(get(key));
        }
        return Collections.unmodifiableList(values);
    }

    @Override
    public Cursor scan(KeyRange range, Direction direction) {
        return new MemoryCursor(state.rows(), range, direction);
    }

    @Override
    public void close() {
        // The garbage collector lets go of old versions.
    }
}
