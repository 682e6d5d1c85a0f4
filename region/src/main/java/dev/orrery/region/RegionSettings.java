package dev.orrery.region;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import java.time.Duration;

/**
 * How a region of an account keeps in step with the others.
 *
 * @param account its name, the same in all regions
 * @param me the name of this region
 * @param level the consistency of the account
 * @param boundLsns how many changes a region may be behind at bounded staleness
 * @param boundTime for how long a region may be without a change at bounded staleness
 * @param lease for how long a region may answer strong reads after it was last in touch
 * @param patience after how long without a word a region no longer counts; more than the lease
 */
public record RegionSettings(
        String account,
        String me,
        ConsistencyLevel level,
        long boundLsns,
        Duration boundTime,
        Duration lease,
        Duration patience) {

    /** With the times that go with each other: the lease is less than any bound of time, and than the patience. */
    public static RegionSettings of(
            String account, String me, ConsistencyLevel level, long boundLsns, Duration boundTime) {
        return new RegionSettings(
                account, me, level, boundLsns, boundTime, Duration.ofSeconds(4), Duration.ofSeconds(6));
    }
}
