package dev.orrery.engine.partition;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.PartitionState;
import java.util.HashMap;
import java.util.Map;

/**
 * What one request changes: all of it or nothing. Reads see the last state of the partition, the changes of the units
 * before it in the same group, and its own.
 */
public final class Unit {
    private final Group group;
    private final long lsn;
    private final Map<ByteKey, byte[]> changes = new HashMap<>();
    private PartitionState state;
    private int writes;

    Unit(Group group, long lsn, PartitionState state) {
        this.group = group;
        this.lsn = lsn;
        this.state = state;
    }

    /** The LSN that this unit's changes get. */
    public long lsn() {
        return lsn;
    }

    /** The time of this unit, one for all its changes. */
    public long nowSecond() {
        return group.nowSecond();
    }

    /** The last committed or pending value, null when there is none. */
    public byte[] get(byte[] key) {
        var wrapped = new ByteKey(key);
        if (changes.containsKey(wrapped)) {
            return changes.get(wrapped);
        }
        return group.get(wrapped);
    }

    public void put(byte[] key, byte[] value) {
        changes.put(new ByteKey(key), value);
    }

    public void delete(byte[] key) {
        changes.put(new ByteKey(key), null);
    }

    /** A document number of a {@linkplain DocumentKey cluster} that no item has. */
    public long nextDocument(long cluster) {
        long number;
        do {
            state = state.withDocuments(state.documents() + 1);
            number = DocumentKey.number(cluster, state.documents());
        } while (DocumentKey.isSecondRound(state.documents()) && get(DocumentKey.encode(number)) != null);
        return number;
    }

    /** Keeps count of what the partition holds. */
    public void count(long moreItems, long moreBytes) {
        state = state.plus(moreItems, moreBytes);
    }

    /** Numbers the writes within the unit, from 0. */
    public int nextSequence() {
        return writes++;
    }

    Map<ByteKey, byte[]> changes() {
        return changes;
    }

    PartitionState state() {
        return state;
    }
}
