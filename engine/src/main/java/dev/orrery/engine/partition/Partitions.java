package dev.orrery.engine.partition;

import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.WritesStoppedException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The partitions that are open in this process, opened when first asked for. */
public final class Partitions implements AutoCloseable {
    /** Container numbers never get so far. */
    private static final long FRONT = 1L << 62;

    private final Store store;
    private final Executor laneThreads;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final WriteRight right;
    private final WriteMemory memory;
    private final LogicalSizes.Rule sizeRule;
    private final ConcurrentHashMap<PartitionId, Partition> open = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, Set<Runnable>> watchers = new ConcurrentHashMap<>();
    private final Set<Consumer<PartitionId>> watchersOfAll = ConcurrentHashMap.newKeySet();
    private volatile Optional<Writers> writers = Optional.empty();

    public Partitions(
            Store store,
            Executor laneThreads,
            InstantSource clock,
            RandomGenerator random,
            WriteRight right,
            MemoryBudget memory,
            long logicalPartitionBytesMax,
            Executor workers) {
        this.memory = new WriteMemory(memory);
        this.sizeRule = new LogicalSizes.Rule(logicalPartitionBytesMax, workers);
        this.right = right;
        this.store = store;
        this.laneThreads = laneThreads;
        this.clock = clock;
        this.random = random;
    }

    /** Has all regions of the account take writes of items, and this one with them. Before the first of them. */
    public void writeInAllRegions(Writers all) {
        writers = Optional.of(all);
    }

    /** The regions that take writes of items, where there are several. */
    public Optional<Writers> writers() {
        return writers;
    }

    /** What clients of this region read and write: the settled range itself, unless several regions write. */
    public Partition forClients(int containerNumber, int rangeId) {
        if (writers.isEmpty()) {
            return resolve(containerNumber, rangeId);
        }
        if (!writers.get().isJoined().getAsBoolean()) {
            throw new FailureException(new Failure.Unavailable(
                    "This region has just joined its account, and is still catching up. Ask another region."));
        }
        return front(containerNumber, rangeId);
    }

    /** The id of what clients write to, on top of a settled range, where several regions write. */
    public static PartitionId frontId(PartitionId settled) {
        return new PartitionId(settled.value() | FRONT);
    }

    /** Whether it is the id of what clients write to, on top of a settled range. */
    public static boolean isFront(PartitionId id) {
        return (id.value() & FRONT) != 0;
    }

    /** The id of the settled range. */
    public static PartitionId settledId(PartitionId id) {
        return new PartitionId(id.value() & ~FRONT);
    }

    private Partition front(int containerNumber, int rangeId) {
        var id = frontId(id(containerNumber, rangeId));
        var partition = open.get(id);
        if (partition != null && partition.isUsable()) {
            return partition;
        }
        var settled = resolve(containerNumber, rangeId);
        return opened(
                id,
                () -> Partition.openFront(
                        store,
                        id,
                        settled,
                        writers.orElseThrow(),
                        random.nextLong(),
                        laneThreads,
                        clock,
                        memory,
                        sizeRule,
                        () -> tell(containerNumber, id)));
    }

    /** Container numbers are never used twice, nor are range ids within a container. */
    public static PartitionId id(int containerNumber, int rangeId) {
        return new PartitionId((long) containerNumber << 32 | rangeId);
    }

    public Partition resolve(int containerNumber, int rangeId) {
        var id = id(containerNumber, rangeId);
        var partition = open.get(id);
        if (partition != null && partition.isUsable()) {
            return partition;
        }
        return opened(
                id,
                () -> Partition.open(
                        store,
                        id,
                        random.nextLong(),
                        laneThreads,
                        clock,
                        right,
                        memory,
                        sizeRule,
                        this::settledSlot,
                        () -> tell(containerNumber, id)));
    }

    private OptionalInt settledSlot() {
        return writers.isPresent() ? OptionalInt.of(WriterSlot.SETTLED) : OptionalInt.empty();
    }

    private Partition opened(PartitionId id, Supplier<Partition> opening) {
        return open.compute(id, (same, current) -> {
            if (current != null && current.isUsable()) {
                return current;
            }
            try {
                var opened = opening.get();
                if (current != null) {
                    current.close();
                }
                return opened;
            } catch (WritesStoppedException stopped) {
                if (current == null) {
                    throw stopped;
                }
                // Reads go on, with what was known before the write that failed.
                current.lane().refuse(stopped.getMessage() + ".");
                return current;
            }
        });
    }

    /**
     * Has somebody told of every change of a container, on the thread that makes it: he must be quick. Who wants no more
     * of it closes what he is given.
     */
    public Watch watch(int containerNumber, Runnable watcher) {
        // In one step: a set that has just lost its last watcher is no longer told.
        watchers.compute(containerNumber, (same, all) -> {
            Set<Runnable> more = all == null ? ConcurrentHashMap.newKeySet() : all;
            more.add(watcher);
            return more;
        });
        return () -> watchers.computeIfPresent(containerNumber, (same, all) -> {
            all.remove(watcher);
            return all.isEmpty() ? null : all;
        });
    }

    /** Somebody's being told. */
    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Has somebody told of every change of any range. */
    public Watch watchAll(Consumer<PartitionId> watcher) {
        watchersOfAll.add(watcher);
        return () -> watchersOfAll.remove(watcher);
    }

    /** Returns when every change is committed that was let in before the right to write was lost. */
    public void drain() {
        open.values().forEach(partition -> {
            try {
                partition.lane().submitAlone(unit -> null).join();
            } catch (CompletionException _) {
                // Retired or broken: nothing is committed there any more.
            }
        });
    }

    private void tell(int containerNumber, PartitionId id) {
        watchersOfAll.forEach(watcher -> watcher.accept(id));
        watchers.getOrDefault(containerNumber, Set.of()).forEach(Runnable::run);
    }

    /**
     * Moves everything a range holds to new ranges, then makes them take over.
     *
     * @param places where the rows of the container belong
     * @param children which part of the key space each new range gets, by range id
     * @param follower makes in them what has happened since they were copied
     * @param takeOver makes the new ranges the ones to go to; if it throws, the old one stays
     */
    public void split(
            int containerNumber,
            int rangeId,
            RowPlace places,
            Map<Integer, EpkRange> children,
            Follower follower,
            Runnable takeOver) {
        var parent = resolve(containerNumber, rangeId);
        var split = new Split(parent, places, follower, clock, random::nextLong);
        var stores = new ArrayList<PartitionStore>();
        try {
            children.forEach((childId, epks) -> {
                // Whatever an earlier attempt left behind must not mix with this one.
                store.drop(id(containerNumber, childId));
                var child = store.open(id(containerNumber, childId), Partition.OWNER_EPOCH);
                stores.add(child);
                split.addChild(id(containerNumber, childId), child, epks);
            });
            split.run(takeOver);
        } finally {
            stores.forEach(PartitionStore::close);
        }
    }

    /**
     * Closes a range while others go on. Reads that have found it are not disturbed; whoever asks for it next opens it
     * anew.
     */
    public void release(PartitionId id) {
        // Who asks meanwhile waits, and gets the one that is opened behind it.
        open.computeIfPresent(id, (same, partition) -> {
            partition.release();
            return null;
        });
    }

    /** Removes a partition with everything in it. */
    public void drop(int containerNumber, int rangeId) {
        drop(id(containerNumber, rangeId));
        if (writers.isPresent()) {
            drop(frontId(id(containerNumber, rangeId)));
        }
    }

    /** Removes the settled copy of a range, which is to be made anew; what clients write to stays. */
    public void dropSettled(int containerNumber, int rangeId) {
        drop(id(containerNumber, rangeId));
    }

    /** Drops what nobody lists any more: left behind when the process ended during a split or a delete. */
    public void dropAllBut(Collection<PartitionId> listed) {
        List<PartitionId> orphans = store.partitions().stream()
                .filter(id -> !listed.contains(settledId(id)))
                .toList();
        try {
            orphans.forEach(this::drop);
        } catch (WritesStoppedException _) {
            // They harm nobody: the next start drops them.
        }
    }

    void drop(PartitionId id) {
        var partition = open.remove(id);
        store.drop(id);
        if (partition != null) {
            partition.close();
        }
    }

    @Override
    public void close() {
        open.values().forEach(Partition::close);
        open.clear();
    }
}
