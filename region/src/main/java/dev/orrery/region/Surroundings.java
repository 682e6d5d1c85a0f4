package dev.orrery.region;

import dev.orrery.engine.hub.Fronts;
import dev.orrery.engine.hub.Hub;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a region needs of the world around it.
 *
 * @param threads run the region for as long as it lives; one thread each
 * @param writing what this region needs to take writes itself, where all regions do
 * @param diary where this region keeps what it has lived through
 * @param joined called once this region has all that the others had, if it has just joined them
 */
public record Surroundings(
        Link link,
        Faults faults,
        InstantSource clock,
        LongSupplier nanos,
        RandomGenerator random,
        ScheduledExecutorService timer,
        Executor workers,
        Executor threads,
        Optional<Writing> writing,
        Past.Diary diary,
        Optional<Runnable> joined) {
    /** What a region has written, and who settles it if this one is the hub. */
    public record Writing(Fronts fronts, Hub hub) {}
}
