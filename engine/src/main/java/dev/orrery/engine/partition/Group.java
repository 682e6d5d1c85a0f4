package dev.orrery.engine.partition;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The units that go down in one commit, each seeing those before it. */
final class Group implements Ground {
    private static final int LASTING_MAX = 4_096;
    private static final Comparator<Mutation> BY_KEY = (one, other) -> Arrays.compareUnsigned(key(one), key(other));

    private final PartitionStore store;
    private final DocumentCount documents;
    private final long nowSecond;
    private final PartitionState firstState;
    private final long floorLsn;
    private final Set<ByteKey> lasting;
    private final WriteMemory.Hold memory;
    private final LogicalSizes sizes;
    private final Map<ByteKey, byte[]> changes = new HashMap<>();
    private final List<Mutation> unread = new ArrayList<>();
    private PartitionState state;
    private long bytes;
    private boolean torn;
    private long tentativeWrites;
    private long lastTentativeLsn;

    /**
     * Begins after the last commit.
     *
     * @param documents draws counts for document numbers
     * @param lasting rows that are never removed and have been seen in the store
     * @param floorLsn changes get higher LSNs than this
     */
    Group(
            PartitionStore store,
            DocumentCount documents,
            Set<ByteKey> lasting,
            WriteMemory.Hold memory,
            LogicalSizes sizes,
            PartitionState state,
            long floorLsn,
            long clockSecond) {
        this.store = store;
        this.memory = memory;
        this.sizes = sizes;
        this.documents = documents;
        this.lasting = lasting;
        this.floorLsn = floorLsn;
        this.state = state;
        this.firstState = state;
        // Readers from a time on rely on it: a clock that was set back must not hide changes from them.
        this.nowSecond = Math.max(clockSecond, state.second());
    }

    Unit beginChange() {
        return Unit.ofChange(this, nextLsn(), nowSecond, state);
    }

    Unit beginTentativeChange() {
        return Unit.ofTentativeChange(this, nextLsn(), nowSecond, state);
    }

    Unit beginConfirmation() {
        return Unit.ofConfirmation(this, nextLsn(), nowSecond, state);
    }

    private long nextLsn() {
        return Math.max(state.lsn(), floorLsn) + 1;
    }

    /** A change that has its numbers already, from where it happened. */
    Unit beginGivenChange(long lsn, long second) {
        if (lsn <= state.lsn()) {
            throw new IllegalStateException("Change " + lsn + " comes after change " + state.lsn());
        }
        return Unit.ofGivenChange(this, lsn, second, state);
    }

    Unit beginUpkeep() {
        return Unit.ofUpkeep(this, nowSecond, state);
    }

    /** Takes over what the unit changed; a change that changed nothing uses up no LSN. */
    void accept(Unit unit) {
        if (unit.isVoid(state)) {
            return;
        }
        torn = true; // If memory ends in the midst of this, nothing of the group may be stored.
        unit.changes().forEach((key, value) -> {
            changes.put(key, value);
            bytes += key.bytes().length + (value == null ? 0 : value.length);
        });
        for (var mutation : unit.unread()) {
            unread.add(mutation);
            bytes += size(mutation);
        }
        // Drafts draw counts as well, and may be stored long after others that were drawn later.
        var counted = unit.state().withDocuments(documents.last());
        state = unit.isUpkeep() ? counted : counted.withChange(unit.lsn(), unit.nowSecond());
        if (!unit.growth().isEmpty()) {
            sizes.grow(state.lsn(), unit.growth());
        }
        if (unit.tentativeWrites() > 0) {
            tentativeWrites += unit.tentativeWrites();
            lastTentativeLsn = unit.lsn();
        }
        torn = false;
    }

    /** How many writes it has that have to be settled among regions. */
    long tentativeWrites() {
        return tentativeWrites;
    }

    /** The LSN of the last such write. */
    long lastTentativeLsn() {
        return lastTentativeLsn;
    }

    /** Whether a part of a unit may be missing from it. */
    boolean isTorn() {
        return torn;
    }

    @Override
    public byte[] get(ByteKey key) {
        return changes.containsKey(key) ? changes.get(key) : store.get(key.bytes());
    }

    @Override
    public boolean has(ByteKey key) {
        if (lasting.contains(key) || changes.containsKey(key)) {
            return true;
        }
        boolean there = store.get(key.bytes()) != null;
        if (there && lasting.size() < LASTING_MAX) {
            lasting.add(key);
        }
        return there;
    }

    boolean isEmpty() {
        return changes.isEmpty() && unread.isEmpty() && state.equals(firstState);
    }

    long bytes() {
        return bytes;
    }

    PartitionState state() {
        return state;
    }

    @Override
    public long drawDocument() {
        return documents.draw();
    }

    @Override
    public void passDocument(long count) {
        documents.pass(count);
    }

    @Override
    public int sequence(int write) {
        return write;
    }

    @Override
    public void takeMemory(long bytes) {
        memory.take(bytes);
    }

    @Override
    public boolean isDraft() {
        return false;
    }

    @Override
    public boolean isSettledCopy() {
        return documents.isOfSettledCopy();
    }

    @Override
    public LogicalSizes sizes() {
        return sizes;
    }

    @Override
    public boolean isChangedSince(long since, byte[] itemPrefix) {
        return changes.keySet().stream().anyMatch(key -> startsWith(key.bytes(), itemPrefix))
                || isCommittedSince(since, itemPrefix);
    }

    private boolean isCommittedSince(long since, byte[] itemPrefix) {
        try (var snapshot = store.snapshot();
                var cursor = snapshot.scan(
                        new KeyRange(
                                LogKey.after(since),
                                KeyRange.prefix(KeySpace.LOG.start()).to()),
                        Direction.FORWARD)) {
            while (cursor.next()) {
                if (startsWith(LogEntry.decode(cursor.value()).item().bytes(), itemPrefix)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    static byte[] key(Mutation mutation) {
        return switch (mutation) {
            case Mutation.Put(byte[] key, var _) -> key;
            case Mutation.Delete(byte[] key) -> key;
            case Mutation.DeleteRange(var range) -> range.from();
        };
    }

    private static int size(Mutation mutation) {
        return key(mutation).length + (mutation instanceof Mutation.Put put ? put.value().length : 0);
    }

    /** In the order of keys: a sorted store finds the place of each near that of the one before. */
    List<Mutation> mutations() {
        var mutations = new ArrayList<Mutation>(changes.size() + unread.size() + 1);
        changes.forEach((key, value) ->
                mutations.add(value == null ? new Mutation.Delete(key.bytes()) : new Mutation.Put(key.bytes(), value)));
        mutations.addAll(unread);
        mutations.sort(BY_KEY); // Keeps the order of changes to the same row.
        if (!state.equals(firstState)) {
            mutations.add(new Mutation.Put(PartitionState.key(), state.encode()));
        }
        return mutations;
    }
}
