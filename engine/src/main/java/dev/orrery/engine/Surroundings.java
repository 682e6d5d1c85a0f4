package dev.orrery.engine;

import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Everything the database takes from outside, so that a test can put in its own and replay a history.
 *
 * @param nanos a clock for spans of time, that never goes back
 * @param laneThreads run the writes of partitions; platform threads, since they wait in native code
 * @param workers run what may block; virtual threads will do
 * @param scripts run JavaScript
 * @param scriptThreads for scripts alone; platform threads, and only a few
 * @param tokenSecrets what permission tokens are signed with: by the first, and those of all hold; they may be replaced
 * @param defaultConsistency of the account; a request may ask for less and never for more
 * @param changeRetention for how long all versions of items are kept
 * @param metering what requests cost, and whether that is all they may
 * @param memory what requests may take together
 * @param logicalPartitionBytesMax how much the items of one partition key may take
 */
public record Surroundings(
        Store store,
        InstantSource clock,
        LongSupplier nanos,
        RandomGenerator random,
        Executor laneThreads,
        Executor workers,
        ScheduledExecutorService timer,
        ScriptRunner scripts,
        Executor scriptThreads,
        Supplier<List<byte[]>> tokenSecrets,
        ConsistencyLevel defaultConsistency,
        Retention changeRetention,
        Metering metering,
        MemoryBudget memory,
        long logicalPartitionBytesMax) {}
