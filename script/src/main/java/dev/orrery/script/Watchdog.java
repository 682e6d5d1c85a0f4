package dev.orrery.script;

import dev.orrery.model.Limits;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Ends scripts that take too long or too much memory. It looks at those that run every few milliseconds, and at nothing
 * while none does.
 */
final class Watchdog {
    /** Why a script was ended. */
    enum Reason {
        TIME,
        MEMORY
    }

    private static final int LOOK_MILLIS = 5;

    /** Less than that is never what fills a heap. */
    private static final long SUSPECT_BYTES = 32L * 1024 * 1024;

    private static final double OLD_SPACE_SHARE_MAX = 0.6;

    private final ScheduledExecutorService timer;
    private final Executor endings;
    private final LongSupplier nanos;
    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Optional<MemoryPoolMXBean> oldSpace = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getUsage().getMax() > 0)
            .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
            .findFirst();
    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param endings waits until a script has noticed that it is over; never the threads that run scripts, all of which may
     *     have one to end
     */
    Watchdog(ScheduledExecutorService timer, Executor endings, LongSupplier nanos) {
        this.timer = timer;
        this.endings = endings;
        this.nanos = nanos;
    }

    /** A script that runs on the thread which began to watch it. */
    final class Watched implements AutoCloseable {
        private final Runnable end;
        private final long threadId = Thread.currentThread().threadId();
        private final long startNanos = nanos.getAsLong();
        private final long startBytes = threads.getCurrentThreadAllocatedBytes();
        private boolean over;
        private volatile Reason reason;

        private Watched(Runnable end) {
            this.end = end;
        }

        /** Why it was ended, if it was. */
        Optional<Reason> reason() {
            return Optional.ofNullable(reason);
        }

        private long allocatedBytes() {
            return threads.getThreadAllocatedBytes(threadId) - startBytes;
        }

        private boolean isOverTime() {
            return nanos.getAsLong() - startNanos > Limits.SCRIPT_MILLIS_MAX * 1_000_000L;
        }

        private synchronized void end(Reason why) {
            if (!over) {
                over = true;
                reason = why;
                running.remove(this);
                endings.execute(end);
            }
        }

        /** From now on nobody ends it any more, or somebody has. */
        @Override
        public synchronized void close() {
            over = true;
            running.remove(this);
        }
    }

    Watched watch(Runnable end) {
        var watched = new Watched(end);
        running.add(watched);
        if (looking.compareAndSet(false, true)) {
            lookLater();
        }
        return watched;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A look says nothing and cannot fail.
    private void lookLater() {
        try {
            timer.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ending) {
            looking.set(false); // Nobody is left who could wait for a script.
        }
    }

    private void look() {
        try {
            for (var one : running) {
                if (one.isOverTime()) {
                    one.end(Reason.TIME);
                } else if (one.allocatedBytes() > Limits.SCRIPT_ALLOCATION_BYTES_MAX) {
                    one.end(Reason.MEMORY);
                }
            }
            if (isOldSpaceFull()) {
                largest().ifPresent(this::endIfNothingElseHelps);
            }
        } finally {
            looking.set(false);
            if (!running.isEmpty() && looking.compareAndSet(false, true)) {
                lookLater();
            }
        }
    }

    private Optional<Watched> largest() {
        return running.stream()
                .filter(one -> one.allocatedBytes() > SUSPECT_BYTES)
                .max(Comparator.comparingLong(Watched::allocatedBytes));
    }

    /** What fills the heap may be garbage, of this script or of one before it; the JVM would have to look soon as well. */
    private void endIfNothingElseHelps(Watched suspect) {
        ManagementFactory.getMemoryMXBean().gc();
        if (isOldSpaceFull()) {
            suspect.end(Reason.MEMORY);
        }
    }

    /** What short-lived garbage never reaches, but everything does that is kept. */
    private boolean isOldSpaceFull() {
        return oldSpace.map(MemoryPoolMXBean::getUsage)
                .filter(usage -> usage.getUsed() > usage.getMax() * OLD_SPACE_SHARE_MAX)
                .isPresent();
    }
}
