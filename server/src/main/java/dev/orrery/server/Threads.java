package dev.orrery.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a server besides those of its network. */
final class Threads {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    // Lanes wait for the disk together: more of them than cores keep it busy, many more only take turns.
    private static final int LANE_THREADS = 8;
    private static final int WORKER_THREADS = 32;
    private static final int REPORT_THREADS = 4;
    private static final int IDLE_SECONDS = 20;
    private static final int END_SECONDS = 20;

    // Enough for short scripts to get past long ones; these keep nobody but other scripts waiting.
    private static final int SCRIPT_THREADS_MIN = 4;

    private final ExecutorService lanes = pool("lane", LANE_THREADS);
    // Platform threads: work here walks over RocksDB, which pins a virtual thread to its carrier, and with as many
    // carriers as cores two long queries would keep everything else waiting.
    private final ExecutorService workers = lastIdleFirst("worker", WORKER_THREADS);
    private final ExecutorService scripts =
            pool("script", Math.max(SCRIPT_THREADS_MIN, Runtime.getRuntime().availableProcessors()));
    // A thread for each script that has to be ended: these never wait for threads that scripts or queries keep busy.
    private final ExecutorService endings = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().name("ending-", 1).daemon().factory());
    // What tells how the server is doing is asked when it is busy.
    private final ExecutorService reports = pool("report", REPORT_THREADS);
    // Two, so that a long sweep of expired items does not hold up the syncs of relaxed durability.
    private final ScheduledExecutorService timer = timer("timer", 2);

    ExecutorService lanes() {
        return lanes;
    }

    ExecutorService workers() {
        return workers;
    }

    ExecutorService scripts() {
        return scripts;
    }

    /** Only as many of its threads run as there are scripts being ended. */
    ExecutorService endings() {
        return endings;
    }

    ExecutorService reports() {
        return reports;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** Runs something later, unless the server has ended by then. */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody takes it back.
    void after(long millis, Runnable task) {
        if (!timer.isShutdown()) {
            timer.schedule(task, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Runs something again and again until the server ends. */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody takes it back.
    void every(long millis, Runnable task) {
        timer.scheduleWithFixedDelay(() -> carefully(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A timer forgets whatever throws. */
    private static void carefully(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error problem) {
            LOG.warn("What is done from time to time has failed; it will be tried again", problem);
        }
    }

    /** Lets work that has begun finish; true when all of it has. */
    boolean end() throws InterruptedException {
        timer.shutdown();
        scripts.shutdown();
        boolean scriptsEnded = scripts.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        workers.shutdown();
        boolean timerEnded = timer.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        boolean workersEnded = workers.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        reports.shutdown();
        endings.shutdown();
        boolean helpersEnded = reports.awaitTermination(END_SECONDS, TimeUnit.SECONDS)
                && endings.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        lanes.shutdown();
        boolean lanesEnded = lanes.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        return timerEnded && scriptsEnded && workersEnded && helpersEnded && lanesEnded;
    }

    private static ScheduledExecutorService timer(String name, int size) {
        var timer = new ScheduledThreadPoolExecutor(
                size, Thread.ofPlatform().name(name + "-", 1).daemon().factory());
        // An end does not wait for what is due in half a minute: the next start makes up for it.
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    private static ExecutorService pool(String name, int size) {
        var pool = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name + "-", 1).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * One that gives work to the thread that was the last to become idle, whose data are still in the caches of the
     * processor; from the queue of {@link #pool}, the one takes it that has been idle for longest.
     */
    private static ExecutorService lastIdleFirst(String name, int size) {
        var number = new AtomicInteger();
        return new ForkJoinPool(
                size,
                pool -> {
                    var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName(name + "-" + number.incrementAndGet());
                    return thread;
                },
                null,
                true,
                0,
                size,
                0,
                _ -> true, // A thread that waits for another one's work is not replaced.
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }
}
