package dev.orrery.engine.check;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store some of whose rows cannot be read, as when a block of a file is not what was written. */
final class DamagedStore implements Store {
    private record Damage(PartitionId partition, KeyRange rows) {}

    private final Store inner;
    private final List<Damage> damages = new ArrayList<>();

    DamagedStore(Store inner) {
        this.inner = inner;
    }

    void damage(PartitionId partition, KeyRange rows) {
        damages.add(new Damage(partition, rows));
    }

    private void demandWhole(PartitionId partition, byte[] key) {
        if (damages.stream().anyMatch(damage -> damage.partition.equals(partition) && damage.rows.contains(key))) {
            throw new StoreException("The block is damaged");
        }
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        return new Damaged(id, inner.open(id, ownerEpoch));
    }

    @Override
    public void drop(PartitionId id) {
        inner.drop(id);
    }

    @Override
    public List<PartitionId> partitions() {
        return inner.partitions();
    }

    @Override
    public long backlogBytes() {
        return inner.backlogBytes();
    }

    @Override
    public Condition condition() {
        return inner.condition();
    }

    @Override
    public void close() {
        inner.close();
    }

    private final class Damaged implements PartitionStore {
        private final PartitionId id;
        private final PartitionStore partition;

        Damaged(PartitionId id, PartitionStore partition) {
            this.id = id;
            this.partition = partition;
        }

        @Override
        public Snapshot snapshot() {
            return new DamagedSnapshot(id, partition.snapshot());
        }

        @Override
        public byte[] get(byte[] key) {
            demandWhole(id, key);
            return partition.get(key);
        }

        @Override
        public Cached tryGet(byte[] key) {
            return Cached.UNKNOWN;
        }

        @Override
        public CommitResult commit(Commit commit) {
            return partition.commit(commit);
        }

        @Override
        public Optional<Boolean> resolve(CommitId commit) {
            return partition.resolve(commit);
        }

        @Override
        public long bytes(KeyRange range) {
            return partition.bytes(range);
        }

        @Override
        public long lsn() {
            return partition.lsn();
        }

        @Override
        public void close() {
            partition.close();
        }
    }

    private final class DamagedSnapshot implements Snapshot {
        private final PartitionId id;
        private final Snapshot snapshot;

        DamagedSnapshot(PartitionId id, Snapshot snapshot) {
            this.id = id;
            this.snapshot = snapshot;
        }

        @Override
        public long lsn() {
            return snapshot.lsn();
        }

        @Override
        public byte[] get(byte[] key) {
            demandWhole(id, key);
            return snapshot.get(key);
        }

        @Override
        public List<byte[]> multiGet(List<byte[]> keys) {
            keys.forEach(key -> demandWhole(id, key));
            return snapshot.multiGet(keys);
        }

        @Override
        public Cursor scan(KeyRange range, Direction direction) {
            return new DamagedCursor(id, snapshot.scan(range, direction));
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }

    private final class DamagedCursor implements Cursor {
        private final PartitionId id;
        private final Cursor cursor;

        DamagedCursor(PartitionId id, Cursor cursor) {
            this.id = id;
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            boolean found = cursor.next();
            if (found) {
                demandWhole(id, cursor.key());
            }
            return found;
        }

        @Override
        public byte[] key() {
            return cursor.key();
        }

        @Override
        public byte[] value() {
            return cursor.value();
        }

        @Override
        public int key(byte[] buffer) {
            return cursor.key(buffer);
        }

        @Override
        public int value(byte[] buffer) {
            return cursor.value(buffer);
        }

        @Override
        public void seek(byte[] key) {
            cursor.seek(key);
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
