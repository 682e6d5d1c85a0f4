package dev.orrery.store.memory;

import dev.orrery.store.Condition;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Keeps every partition in memory, for as long as the process lives. Where the memory for it ends, it takes only commits
 * that make it no larger.
 */
public final class MemoryStore implements Store {

    private final ConcurrentSkipListMap<PartitionId, MemoryPartition> partitions = new ConcurrentSkipListMap<>();
    private final MemoryRoom room;

    /** One that grows for as long as the process can. */
    public MemoryStore() {
        this(Long.MAX_VALUE);
    }

    /** @param bytesMax how much all rows together may take, each with what it takes to keep it */
    public MemoryStore(long bytesMax) {
        room = new MemoryRoom(bytesMax);
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        if (ownerEpoch <= 0) {
            throw new IllegalArgumentException("An owner's epoch is positive, not " + ownerEpoch);
        }
        while (true) {
            var partition = partitions.computeIfAbsent(id, one -> new MemoryPartition(one, room));
            if (partition.own(ownerEpoch)) {
                return new MemoryPartitionStore(partition, ownerEpoch);
            }
            // It has been dropped between the two steps.
            partitions.remove(id, partition);
        }
    }

    @Override
    public void drop(PartitionId id) {
        var partition = partitions.remove(id);
        if (partition != null) {
            partition.drop();
        }
    }

    @Override
    public List<PartitionId> partitions() {
        return List.copyOf(partitions.keySet());
    }

    @Override
    public long backlogBytes() {
        return 0;
    }

    @Override
    public Condition condition() {
        return room.condition();
    }

    @Override
    public void close() {
        // Nothing is held that the garbage collector would not take back.
    }
}
