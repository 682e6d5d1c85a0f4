package dev.orrery.region;

import dev.orrery.engine.key.WriterSlot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What all regions of an account agree on.
 *
 * @param version one more with every change
 * @param epoch one more with every change of the write region
 * @param writeRegion the one that takes writes
 * @param members in the order in which they take over when the write region is lost
 * @param strongSet the regions that must have a write before it is answered at strong consistency
 * @param isVoted whether the members vote on the next charter, and on who writes when the write region is lost. Two cannot:
 *     neither knows whether the other is gone or the link between them
 * @param numbers how many numbers members have ever been given
 * @param isMultiWrite whether all regions take writes of items, and the write region settles them
 */
public record Charter(
        long version,
        long epoch,
        String writeRegion,
        List<Member> members,
        Set<String> strongSet,
        boolean isVoted,
        int numbers,
        boolean isMultiWrite) {
    private static final int MEMBERS_MAX = 16;
    private static final int VOTERS_MIN = 3;

    public Charter {
        members = List.copyOf(members);
        strongSet = Set.copyOf(strongSet);
    }

    /** Of an account that one region writes to. */
    public Charter(
            long version,
            long epoch,
            String writeRegion,
            List<Member> members,
            Set<String> strongSet,
            boolean isVoted,
            int numbers) {
        this(version, epoch, writeRegion, members, strongSet, isVoted, numbers, false);
    }

    /** The first one of an account; the first member takes the writes. */
    public static Charter founding(List<Member> members) {
        return founding(members, false);
    }

    /** The same, where all members take writes of items if so wanted. */
    public static Charter founding(List<Member> members, boolean isMultiWrite) {
        return new Charter(
                1,
                1,
                members.getFirst().name(),
                members,
                Set.of(),
                members.size() >= VOTERS_MIN,
                members.size(),
                isMultiWrite);
    }

    /** Whether there is no place for one more. */
    public boolean isFull() {
        return members.size() >= MEMBERS_MAX || (isMultiWrite && numbers >= WriterSlot.REGIONS_MAX);
    }

    /**
     * Whether it is in force instead of another one. Where nobody votes, a region that is lost may have gone on to change its
     * charter alone; whoever took over from it counts all the same, which its epoch tells.
     */
    public boolean isLaterThan(Charter other) {
        return epoch > other.epoch || (epoch == other.epoch && version > other.version);
    }

    public Optional<Member> find(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    public Member writer() {
        return find(writeRegion).orElseThrow();
    }

    /** The next one, with another write region. */
    public Charter withWriter(String name) {
        return new Charter(version + 1, epoch + 1, name, members, strongSet, isVoted, numbers, isMultiWrite);
    }

    public Charter withStrongSet(Set<String> changed) {
        return new Charter(version + 1, epoch, writeRegion, members, changed, isVoted, numbers, isMultiWrite);
    }

    /** The next one, with one member more. It gets a number that nobody had before. */
    public Charter with(Member added) {
        var more = new ArrayList<>(members);
        more.add(new Member(added.name(), numbers, added.endpoint(), added.council(), added.isWitness()));
        return new Charter(
                version + 1, epoch, writeRegion, more, strongSet, more.size() >= VOTERS_MIN, numbers + 1, isMultiWrite);
    }

    /** The next one, with one member less. */
    public Charter without(String removed) {
        var fewer = members.stream()
                .filter(member -> !member.name().equals(removed))
                .toList();
        var strong = new HashSet<>(strongSet);
        strong.remove(removed);
        return new Charter(
                version + 1, epoch, writeRegion, fewer, strong, fewer.size() >= VOTERS_MIN, numbers, isMultiWrite);
    }
}
