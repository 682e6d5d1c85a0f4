package dev.orrery.engine;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitFormat;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A store that writes down what changes it, as another copy of it would have to be told. */
final class RecordingStore implements Store {

    /** What has been asked of the store. */
    sealed interface Call {
        record Open(PartitionId id, long ownerEpoch) implements Call {}

        @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
        record Apply(PartitionId id, long ownerEpoch, byte[] commit) implements Call {}

        record Drop(PartitionId id) implements Call {}
    }

    private final Store inner;
    private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

    RecordingStore(Store inner) {
        this.inner = inner;
    }

    /** Does the same again to another store. */
    void replayTo(Store other) {
        for (var call : List.copyOf(calls)) {
            switch (call) {
                case Call.Open(var id, long ownerEpoch) ->
                    other.open(id, ownerEpoch).close();
                case Call.Apply(var id, long ownerEpoch, var commit) -> {
                    try (var partition = other.open(id, ownerEpoch)) {
                        if (partition.commit(CommitFormat.decode(commit)) != CommitResult.COMMITTED) {
                            throw new AssertionError("a commit cannot be replayed");
                        }
                    }
                }
                case Call.Drop(var id) -> other.drop(id);
            }
        }
    }

    @Override
    public Condition condition() {
        return inner.condition();
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        synchronized (calls) { // Written down in the order in which it happens.
            calls.add(new Call.Open(id, ownerEpoch));
            return new Recorded(id, ownerEpoch, inner.open(id, ownerEpoch));
        }
    }

    @Override
    public void drop(PartitionId id) {
        synchronized (calls) {
            calls.add(new Call.Drop(id));
            inner.drop(id);
        }
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
    public void close() {
        inner.close();
    }

    private final class Recorded implements PartitionStore {
        private final PartitionId id;
        private final long ownerEpoch;
        private final PartitionStore partition;

        Recorded(PartitionId id, long ownerEpoch, PartitionStore partition) {
            this.id = id;
            this.ownerEpoch = ownerEpoch;
            this.partition = partition;
        }

        @Override
        public CommitResult commit(Commit commit) {
            synchronized (calls) {
                var result = partition.commit(commit);
                if (result == CommitResult.COMMITTED) {
                    calls.add(new Call.Apply(id, ownerEpoch, CommitFormat.encode(commit)));
                }
                return result;
            }
        }

        @Override
        public Snapshot snapshot() {
            return partition.snapshot();
        }

        @Override
        public byte[] get(byte[] key) {
            return partition.get(key);
        }

        @Override
        public Cached tryGet(byte[] key) {
            return partition.tryGet(key);
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
}
