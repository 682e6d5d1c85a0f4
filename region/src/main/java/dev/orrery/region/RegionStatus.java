package dev.orrery.region;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an account of several regions stands, as one of them sees it.
 *
 * @param faults on the links from here, in words
 */
public record RegionStatus(
        String me,
        boolean takesWrites,
        long epoch,
        String writeRegion,
        List<Peer> regions,
        Map<String, String> faults,
        Optional<Failover> lastFailover,
        long lostChanges) {

    /**
     * A region.
     *
     * @param lagLsns how many changes it is behind the write region, absent where that is not known here
     * @param silentSeconds since it was heard last, absent where that is not known here
     */
    public record Peer(
            String name,
            String endpoint,
            boolean isWriter,
            boolean isWitness,
            Optional<Long> lagLsns,
            Optional<Double> lagSeconds,
            Optional<Double> silentSeconds) {}

    /** When another region took over; without a time where this one was away and heard of it later. */
    public record Failover(long epoch, String to, Optional<Long> atSecond) {}
}
