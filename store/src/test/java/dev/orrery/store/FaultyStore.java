package dev.orrery.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A store whose commits go wrong by plan, as those of a distant or a dying one would. Reads are left alone. */
public final class FaultyStore implements Store {

    private final Store inner;
    private final FaultPlan plan;
    private final Set<PartitionId> inDoubt = ConcurrentHashMap.newKeySet();
    private volatile boolean broken;

    public FaultyStore(Store inner, FaultPlan plan) {
        this.inner = inner;
        this.plan = plan;
    }

    /** What kept the store from writing has gone. */
    public void heal() {
        inDoubt.clear();
        broken = false;
    }

    @Override
    public Condition condition() {
        return broken
                ? new Condition(Optional.of("Planned failure"), Optional.empty(), OptionalLong.empty())
                : inner.condition();
    }

    private void demandWrites() {
        if (broken) {
            throw new WritesStoppedException("No writes are taken because of a planned failure");
        }
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        if (inDoubt.contains(id) || !inner.partitions().contains(id)) {
            demandWrites();
        }
        return new FaultyPartition(id, inner.open(id, ownerEpoch));
    }

    @Override
    public void drop(PartitionId id) {
        demandWrites();
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
    public void close() {
        inner.close();
    }

    private Fault next(PartitionId id, Commit commit) {
        synchronized (plan) { // Plans need not care for threads.
            return plan.next(id, commit);
        }
    }

    private final class FaultyPartition implements PartitionStore {

        private final PartitionId id;
        private final PartitionStore inner;
        private final Map<CommitId, Integer> emptyAnswers = new HashMap<>();

        FaultyPartition(PartitionId id, PartitionStore inner) {
            this.id = id;
            this.inner = inner;
        }

        @Override
        public CommitResult commit(Commit commit) {
            demandWrites();
            return commit(commit, next(id, commit));
        }

        private CommitResult commit(Commit commit, Fault fault) {
            return switch (fault) {
                case Fault.None none -> inner.commit(commit);
                case Fault.Fence fence -> CommitResult.FENCED;
                case Fault.Fail fail -> {
                    apply(commit, fail.applied());
                    throw new StoreException("Planned failure of a commit, applied: " + fail.applied());
                }
                case Fault.Break failing -> {
                    inDoubt.add(id);
                    broken = true;
                    apply(commit, failing.applied());
                    throw new StoreException("Planned failure of the store, applied: " + failing.applied());
                }
                case Fault.Unknown unknown -> {
                    synchronized (emptyAnswers) {
                        emptyAnswers.put(commit.id(), unknown.emptyAnswers());
                    }
                    yield apply(commit, unknown.applied()) == CommitResult.FENCED
                            ? CommitResult.FENCED
                            : CommitResult.UNKNOWN;
                }
                case Fault.Pause pause -> {
                    pause.pause().run();
                    yield commit(commit, pause.then());
                }
            };
        }

        private CommitResult apply(Commit commit, boolean applied) {
            return applied ? inner.commit(commit) : CommitResult.UNKNOWN;
        }

        @Override
        public Optional<Boolean> resolve(CommitId commit) {
            if (inDoubt.contains(id)) {
                return Optional.empty();
            }
            synchronized (emptyAnswers) {
                int left = emptyAnswers.getOrDefault(commit, 0);
                if (left > 0) {
                    emptyAnswers.put(commit, left - 1);
                    return Optional.empty();
                }
            }
            return inner.resolve(commit);
        }

        @Override
        public Snapshot snapshot() {
            return inner.snapshot();
        }

        @Override
        public byte[] get(byte[] key) {
            return inner.get(key);
        }

        @Override
        public Cached tryGet(byte[] key) {
            return inner.tryGet(key);
        }

        @Override
        public long bytes(KeyRange range) {
            return inner.bytes(range);
        }

        @Override
        public long lsn() {
            return inner.lsn();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
