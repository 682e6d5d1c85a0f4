package dev.orrery.bench.harness;

import dev.orrery.bench.harness.Contender.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that create items as fast as a system takes them; each has a thread and a connection of its own. */
public final class CreateLoad {
    private final CreateSystem system;

    /** All rounds go on with it: no item is created twice. */
    private final AtomicLong numbers = new AtomicLong();

    public CreateLoad(CreateSystem system) {
        this.system = system;
    }

    public Sample measure(int clients, Duration warmup, Duration measured) throws InterruptedException {
        var creators = new ArrayList<CreateSystem.Creator>();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            for (int client = 0; client < clients; client++) {
                creators.add(system.openCreator());
            }
            var run = new Run(threads, creators);
            run.createFor(warmup);
            var before = system.cpu();
            long start = System.nanoTime();
            long created = run.createFor(measured);
            double seconds = (System.nanoTime() - start) / 1e9;
            double cpuMicros = system.cpu()
                    .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / created)
                    .orElse(Double.NaN);
            return new Sample(created / seconds, cpuMicros);
        } finally {
            creators.forEach(CreateSystem.Creator::close);
        }
    }

    private final class Run {
        private final ExecutorService threads;
        private final List<CreateSystem.Creator> creators;

        Run(ExecutorService threads, List<CreateSystem.Creator> creators) {
            this.threads = threads;
            this.creators = creators;
        }

        /** Returns how many items were created. */
        long createFor(Duration duration) throws InterruptedException {
            long end = System.nanoTime() + duration.toNanos();
            var counts = new ArrayList<Future<Long>>();
            for (var creator : creators) {
                counts.add(threads.submit(() -> {
                    long count = 0;
                    while (System.nanoTime() < end) {
                        creator.create(numbers.getAndIncrement());
                        count++;
                    }
                    return count;
                }));
            }
            long all = 0;
            for (var count : counts) {
                try {
                    all += count.get();
                } catch (ExecutionException e) {
                    throw new BenchException(system.name() + " does not take an item: " + e.getCause(), e);
                }
            }
            return all;
        }
    }
}
