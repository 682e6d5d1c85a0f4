package dev.orrery.engine.partition;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.store.Mutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one piece of work changes: all of it or nothing. Reads see the last state of the partition, the changes of the
 * units before it in the same group, and its own. It is a change, which gets an LSN, or upkeep, which gets none.
 */
public final class Unit {
    private final Ground ground;
    private final long lsn;
    private final long nowSecond;
    private final Manner manner;
    private final Map<ByteKey, byte[]> changes = new HashMap<>();
    private final List<Mutation> unread = new ArrayList<>();
    private final Map<ByteKey, Long> growth = new HashMap<>(0);
    private PartitionState state;
    private Optional<Origin> origin = Optional.empty();
    private int tentativeWrites;
    private int writes;
    private long bytes;

    private enum Manner {
        CHANGE,
        TENTATIVE_CHANGE,
        CONFIRMATION,
        GIVEN_CHANGE,
        UPKEEP
    }

    private Unit(Ground ground, long lsn, long nowSecond, Manner manner, PartitionState state) {
        this.ground = ground;
        this.lsn = lsn;
        this.nowSecond = nowSecond;
        this.manner = manner;
        this.state = state;
    }

    /** One whose changes get an LSN. */
    static Unit ofChange(Ground ground, long lsn, long nowSecond, PartitionState state) {
        return new Unit(ground, lsn, nowSecond, Manner.CHANGE, state);
    }

    /** One whose changes have to be settled among regions that all write. */
    static Unit ofTentativeChange(Ground ground, long lsn, long nowSecond, PartitionState state) {
        return new Unit(ground, lsn, nowSecond, Manner.TENTATIVE_CHANGE, state);
    }

    /** One that takes over what is settled among regions that all write. */
    static Unit ofConfirmation(Ground ground, long lsn, long nowSecond, PartitionState state) {
        return new Unit(ground, lsn, nowSecond, Manner.CONFIRMATION, state);
    }

    /** One that happened in another copy of the range; its LSN is used up even if it changes nothing here. */
    static Unit ofGivenChange(Ground ground, long lsn, long second, PartitionState state) {
        return new Unit(ground, lsn, second, Manner.GIVEN_CHANGE, state);
    }

    /** One that changes nothing a client could see, so that each copy of a range may do it when it likes. */
    static Unit ofUpkeep(Ground ground, long nowSecond, PartitionState state) {
        return new Unit(ground, state.lsn(), nowSecond, Manner.UPKEEP, state);
    }

    /** The LSN that this unit's changes get. */
    public long lsn() {
        if (isUpkeep()) {
            throw new IllegalStateException("Upkeep has no LSN");
        }
        return lsn;
    }

    /** Whether what it writes has to be settled among regions that all write. */
    public boolean isTentative() {
        return manner == Manner.TENTATIVE_CHANGE;
    }

    /** Counts a write that is kept until it is settled. */
    public void countTentative() {
        tentativeWrites++;
    }

    int tentativeWrites() {
        return tentativeWrites;
    }

    /** Notes where what it does from now on was written first. */
    public void originate(Origin from) {
        origin = Optional.of(from);
    }

    public Optional<Origin> origin() {
        return origin;
    }

    boolean isUpkeep() {
        return manner == Manner.UPKEEP;
    }

    /** Whether nothing remains of it, not even its LSN. */
    boolean isVoid(PartitionState before) {
        return manner != Manner.GIVEN_CHANGE && changes.isEmpty() && unread.isEmpty() && state.equals(before);
    }

    /** The time of this unit, one for all its changes. */
    public long nowSecond() {
        return nowSecond;
    }

    /** The last committed or pending value, null when there is none. */
    public byte[] get(byte[] key) {
        var wrapped = new ByteKey(key);
        if (changes.containsKey(wrapped)) {
            return changes.get(wrapped);
        }
        return ground.get(wrapped);
    }

    /** Whether a row is there that is never removed; quicker than {@link #get}. */
    public boolean has(byte[] key) {
        var wrapped = new ByteKey(key);
        return changes.containsKey(wrapped) || ground.has(wrapped);
    }

    /** Takes the memory that it needs to read a stored item and to find all its index entries. */
    public void makeRoomFor(long itemBytes) {
        if (itemBytes > Limits.MEMORY_BODY_BYTES_FREE) {
            ground.takeMemory(itemBytes * Limits.MEMORY_PER_STORED_BYTE);
        }
    }

    /** Takes memory until the unit is stored, or refused. */
    public void takeMemory(long moreBytes) {
        ground.takeMemory(moreBytes);
    }

    public void put(byte[] key, byte[] value) {
        count(key.length + value.length);
        changes.put(new ByteKey(key), value);
    }

    public void delete(byte[] key) {
        count(key.length);
        changes.put(new ByteKey(key), null);
    }

    /** Refuses what would not fit into a commit, behind a group that is nearly full, before it takes more memory. */
    private void count(int more) {
        bytes += more;
        if (bytes > Limits.COMMIT_BYTES_MAX - Limits.GROUP_BYTES_MAX && !isDraft()) {
            throw new FailureException(new Failure.TooLarge(
                    "The request changes too much at once: with index entries and old versions, more than "
                            + (Limits.COMMIT_BYTES_MAX - Limits.GROUP_BYTES_MAX)
                            + " bytes would have to be stored together."));
        }
    }

    /** Like {@link #put}, for one of many rows that no unit reads: it is only passed on. */
    public void putUnread(byte[] key, byte[] value) {
        count(key.length + value.length);
        unread.add(new Mutation.Put(key, value));
    }

    public void deleteUnread(byte[] key) {
        count(key.length);
        unread.add(new Mutation.Delete(key));
    }

    /** A document number of a {@linkplain DocumentKey cluster} that no item has. */
    public long nextDocument(long cluster) {
        long number;
        long count;
        do {
            count = ground.drawDocument();
            number = DocumentKey.number(cluster, count);
        } while (DocumentKey.isSecondRound(count) && get(DocumentKey.encode(number)) != null);
        return number;
    }

    /** Notes a document number that was drawn in another copy of the range. */
    public void passDocument(long number) {
        ground.passDocument(DocumentKey.countOf(number));
    }

    /** True when none of this will be stored, so that only rows matter which the unit itself reads again. */
    public boolean isDraft() {
        return ground.isDraft();
    }

    /** Whether items under a prefix of keys have changed after an LSN and before this unit. */
    public boolean isChangedSince(long since, byte[] itemPrefix) {
        return lsn() > since + 1 && ground.isChangedSince(since, itemPrefix);
    }

    /**
     * Keeps count of what the range holds, and refuses what would make a logical partition too large.
     *
     * @param partition the one whose items are more or larger now
     */
    public void count(LogicalPartition partition, long moreItems, long moreBytes) {
        state = state.plus(moreItems, moreBytes);
        if (ground.sizes().matter(state)) {
            var itemPrefix = new ByteKey(partition.itemPrefix());
            long grown = growth.merge(itemPrefix, moreBytes, Long::sum);
            if (moreBytes > 0 && !isDecided()) {
                ground.sizes().demandRoom(itemPrefix, grown);
            }
        }
    }

    /** Whether what it does has happened in another copy, or was written in another region, and cannot be refused any more. */
    private boolean isDecided() {
        return manner == Manner.GIVEN_CHANGE || manner == Manner.CONFIRMATION || origin.isPresent();
    }

    /** Whether it changes what several regions that write have in common. */
    public boolean isOfSettledCopy() {
        return ground.isSettledCopy();
    }

    /** Notes up to where the log has lost all but the latest changes. */
    public void forget(long lastLsn, long lastSecond) {
        state = state.withForgotten(lastLsn, lastSecond);
    }

    /** Numbers the writes within the unit, from 0. */
    public int nextSequence() {
        return ground.sequence(writes++);
    }

    /** The document numbers of the items that it has removed; some may be its own. */
    List<Long> removedDocuments() {
        return changes.entrySet().stream()
                .filter(change -> change.getValue() == null && change.getKey().bytes()[0] == KeySpace.DOCUMENT.tag())
                .map(change -> DocumentKey.decode(change.getKey().bytes()))
                .toList();
    }

    /** Goes on with document numbers behind a count that has been drawn elsewhere. */
    public void passCount(long count) {
        ground.passDocument(count);
        state = state.withDocuments(Math.max(count, state.documents()));
    }

    /** Tells which rows it has changed. */
    void addKeysTo(Set<ByteKey> keys) {
        keys.addAll(changes.keySet());
        unread.forEach(mutation -> keys.add(new ByteKey(Group.key(mutation))));
    }

    Map<ByteKey, byte[]> changes() {
        return changes;
    }

    /** In the order in which they were made: the last change of a row counts. */
    List<Mutation> unread() {
        return unread;
    }

    PartitionState state() {
        return state;
    }

    /** By how much logical partitions have grown, by what the keys of their items begin with, where that matters. */
    Map<ByteKey, Long> growth() {
        return growth;
    }
}
