package dev.orrery.engine.item;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads of what the store does not have in memory. As long as they are quick, because the operating system has the files
 * in its own memory, they are done in place: passing one to another thread costs several times as much. Slow ones go
 * to threads that may wait.
 */
final class DiskReads {
    private static final long QUICK_NANOS = 120_000;
    // One read that was held up by something else does not make the disk a slow one; two in a row do.
    private static final long COUNTED_NANOS_MAX = 3_000_000;
    private static final int WEIGHT = 32;

    private final Executor mayBlock;
    private final LongSupplier nanos;
    // Many threads change it without waiting for each other: an estimate may lose a figure.
    private volatile long meanNanos;

    DiskReads(Executor mayBlock, LongSupplier nanos) {
        this.mayBlock = mayBlock;
        this.nanos = nanos;
    }

    CompletionStage<byte[]> read(Supplier<byte[]> read) {
        return meanNanos < QUICK_NANOS
                ? CompletableFuture.completedFuture(timed(read))
                : CompletableFuture.supplyAsync(() -> timed(read), mayBlock);
    }

    private byte[] timed(Supplier<byte[]> read) {
        long begin = nanos.getAsLong();
        byte[] value = read.get();
        long taken = Math.min(nanos.getAsLong() - begin, COUNTED_NANOS_MAX);
        meanNanos = (meanNanos * (WEIGHT - 1) + taken) / WEIGHT;
        return value;
    }
}
