package dev.orrery.region;

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
        Optional<Runnable> joined) {}
