package dev.orrery.engine.partition;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.Limits;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Spreads what one partition holds over new ones while it goes on serving: first a copy of a snapshot, then what was
 * committed meanwhile, and last, with its lane standing still, the rest; then the new ones take over.
 */
final class Split {
    private static final int ROUNDS_BEFORE_STANDSTILL = 4;

    /** A new partition being filled. */
    private static final class Child {
        private final PartitionStore store;
        private final EpkRange epks;
        private final long nonce;
        private final Map<ByteKey, Mutation> waiting = new LinkedHashMap<>();
        private long waitingBytes;
        private PartitionState state;

        Child(PartitionStore store, EpkRange epks, long nonce) {
            this.store = store;
            this.epks = epks;
            this.nonce = nonce;
            this.state = PartitionState.EMPTY;
        }

        void put(byte[] key, byte[] value) {
            count(key, -1);
            add(key, new Mutation.Put(key, value), key.length + value.length);
            count(key, 1);
        }

        void delete(byte[] key) {
            count(key, -1);
            add(key, new Mutation.Delete(key), key.length);
        }

        private void add(byte[] key, Mutation mutation, int bytes) {
            waiting.put(new ByteKey(key), mutation);
            waitingBytes += bytes;
            if (waitingBytes >= Limits.GROUP_BYTES_MAX) {
                flush();
            }
        }

        /** Counts an item that is there in or out. */
        private void count(byte[] key, int direction) {
            if (key[0] != KeySpace.ITEM.tag()) {
                return;
            }
            var value = switch (waiting.get(new ByteKey(key))) {
                case null -> store.get(key);
                case Mutation.Put put -> put.value();
                case Mutation.Delete _, Mutation.DeleteRange _ -> null;
            };
            if (value != null) {
                state = state.plus(
                        direction, (long) direction * StoredItem.decode(value).sizeBytes());
            }
        }

        /** Goes on counting where the parent ends: clients hold its LSNs in their session tokens. */
        void takeOver(PartitionState parentState) {
            state = state.withChange(parentState.lsn(), parentState.second())
                    .withDocuments(parentState.documents())
                    .withForgotten(parentState.forgottenLsn(), parentState.forgottenSecond());
            flush();
        }

        void flush() {
            long position = store.lsn();
            var mutations = new ArrayList<>(waiting.values());
            mutations.add(new Mutation.Put(PartitionState.key(), state.encode()));
            var result = store.commit(new Commit(new CommitId(nonce, position), position, position + 1, mutations));
            if (result != CommitResult.COMMITTED) {
                throw new IllegalStateException("A new partition refused a commit: " + result);
            }
            waiting.clear();
            waitingBytes = 0;
        }
    }

    private final Partition parent;
    private final RowPlace places;
    private final List<Child> children = new ArrayList<>();
    private final ConcurrentLinkedQueue<List<Mutation>> meanwhile = new ConcurrentLinkedQueue<>();

    Split(Partition parent, RowPlace places) {
        this.parent = parent;
        this.places = places;
    }

    void addChild(PartitionStore store, EpkRange epks, long nonce) {
        children.add(new Child(store, epks, nonce));
    }

    /** @param takeOver makes the new partitions the ones to go to; if it throws, the parent stays */
    void run(Runnable takeOver) {
        try {
            copyAndTakeOver(takeOver);
        } catch (RuntimeException failure) {
            parent.lane()
                    .submitAlone(unit -> {
                        parent.lane().mirror(null);
                        return null;
                    })
                    .exceptionally(moved -> null)
                    .join();
            throw failure;
        }
    }

    private void copyAndTakeOver(Runnable takeOver) {
        try (var snapshot = start()) {
            RowPlace.SHARED_SPACES.forEach(space -> copy(snapshot, KeyRange.prefix(space.start())));
            RowPlace.SPACES.forEach(space -> copy(snapshot, KeyRange.prefix(space.start())));
        }
        for (int round = 0; round < ROUNDS_BEFORE_STANDSTILL && !meanwhile.isEmpty(); round++) {
            catchUp();
        }
        parent.lane()
                .submitAlone(unit -> {
                    catchUp();
                    children.forEach(child -> child.takeOver(parent.state()));
                    takeOver(takeOver);
                    parent.lane().retire();
                    return null;
                })
                .join();
    }

    private void takeOver(Runnable takeOver) {
        try {
            takeOver.run();
        } catch (RuntimeException failure) {
            // Whether the others have taken over may not be known yet: nothing may be written here before it is.
            parent.lane().distrust();
            throw failure;
        }
    }

    /** Everything committed after the snapshot is noted from now on. */
    private Snapshot start() {
        return parent.lane()
                .submitAlone(unit -> {
                    parent.lane().mirror(meanwhile::add);
                    return parent.snapshot();
                })
                .join()
                .result();
    }

    private void copy(Snapshot snapshot, KeyRange rows) {
        try (var cursor = snapshot.scan(rows, Direction.FORWARD)) {
            while (cursor.next()) {
                put(cursor.key(), cursor.value());
            }
        }
    }

    private void catchUp() {
        for (var mutations = meanwhile.poll(); mutations != null; mutations = meanwhile.poll()) {
            mutations.forEach(this::apply);
        }
    }

    private void apply(Mutation mutation) {
        switch (mutation) {
            case Mutation.Put(var key, var value) -> put(key, value);
            // A key alone does not always tell whose it is; deleting what is not there harms nothing.
            case Mutation.Delete(var key) -> children.forEach(child -> child.delete(key));
            case Mutation.DeleteRange _ -> throw new IllegalStateException("A lane never deletes whole ranges");
        }
    }

    private void put(byte[] key, byte[] value) {
        if (RowPlace.isShared(key)) {
            children.forEach(child -> child.put(key, value));
        } else {
            places.of(key, value).ifPresent(epk -> childOf(epk).put(key, value));
        }
    }

    private Child childOf(EffectivePartitionKey epk) {
        return children.stream()
                .filter(child -> child.epks.contains(epk))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("A row lies outside the range that holds it"));
    }
}
