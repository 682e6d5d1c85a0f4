package dev.orrery.council;

import java.time.Duration;

/**
 * How long things may take in a council; the same at every member.
 *
 * @param lease how long the write region may write after it sent a renewal that was accepted
 * @param silence how long others wait without a renewal before one of them takes over; longer than the lease by more than
 *     clocks may differ in speed
 * @param renewal the pause between two renewals
 * @param stagger by how much longer each next member waits, so that they do not all try at once
 * @param grace how long after its own start a member takes over from nobody: all may have been started together
 * @param electionMin the least time without a leader of the council before a member stands for election
 * @param electionMax the longest such time
 * @param answer how long a renewal waits for its answer before the next one is sent in its place
 * @param patience how long a proposal waits for a majority
 */
public record CouncilTimes(
        Duration lease,
        Duration silence,
        Duration renewal,
        Duration stagger,
        Duration grace,
        Duration electionMin,
        Duration electionMax,
        Duration answer,
        Duration patience) {
    /** An election must end within a lease, so that a lost leader of the council does not stop the write region. */
    public static final CouncilTimes USUAL = new CouncilTimes(
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(15),
            Duration.ofMillis(900),
            Duration.ofMillis(1500),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10));

    public CouncilTimes {
        if (silence.compareTo(lease) <= 0 || lease.compareTo(renewal) <= 0) {
            throw new IllegalArgumentException("renewal < lease < silence does not hold");
        }
    }
}
