package dev.orrery.region;

import dev.orrery.engine.replica.Replica;
import dev.orrery.region.RegionStatus.Failover;
import dev.orrery.region.RegionStatus.Peer;
import java.util.Map;
import java.util.Optional;

/** How the regions of an account stand, as far as one of them knows. Only the one that takes the writes knows of the others. */
record Census(String me, Charter charter, Replica replica, Followers followers) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double SILENT_SECONDS = 2;

    /**
     * How they stand now.
     *
     * @param behind how many changes this region lacks
     * @param heard how many seconds ago it has last heard of the region that it follows
     * @param level how many seconds ago it lacked nothing, if it ever did
     */
    RegionStatus status(
            long behind,
            Optional<Double> heard,
            Optional<Double> level,
            Map<String, String> faults,
            Optional<Failover> lastFailover,
            long lostChanges) {
        boolean writer = replica.takesWrites();
        var peers = charter.members().stream()
                .map(member ->
                        member.name().equals(me) ? mine(member, writer, behind, heard, level) : other(member, writer))
                .toList();
        return new RegionStatus(
                me, writer, charter.epoch(), charter.writeRegion(), peers, faults, lastFailover, lostChanges);
    }

    /** A region that follows hears at least once a second that there is nothing new; when it does not, it cannot know. */
    private Peer mine(Member member, boolean writer, long behind, Optional<Double> heard, Optional<Double> level) {
        if (writer) {
            return peer(member, Optional.of(0L), Optional.of(0.0), Optional.empty());
        }
        boolean isLevel =
                behind == 0 && heard.filter(silent -> silent < SILENT_SECONDS).isPresent();
        return peer(member, Optional.of(behind), isLevel ? Optional.of(0.0) : level, heard);
    }

    private Peer other(Member member, boolean writer) {
        long silent = followers.silentNanos(member.name());
        return writer && silent != Long.MAX_VALUE
                ? peer(
                        member,
                        Optional.of(followers.lag(member.name())),
                        Optional.of(followers.lagSeconds(member.name())),
                        Optional.of(silent / NANOS_PER_SECOND))
                : peer(member, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private Peer peer(Member member, Optional<Long> lag, Optional<Double> lagSeconds, Optional<Double> heard) {
        return new Peer(
                member.name(),
                member.endpoint(),
                member.name().equals(charter.writeRegion()),
                member.isWitness(),
                lag,
                lagSeconds,
                heard);
    }
}
