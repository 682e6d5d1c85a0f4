package dev.orrery.example.common;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/** Does several things at once that each wait for the database. */
public final class Together {
    /** More at a time would only wait for each other. */
    private static final int AT_ONCE_MAX = 32;

    private Together() {}

    /** The results in the order of what they were made from. */
    public static <T, R> List<R> map(List<T> all, Function<T, R> function) {
        var permits = new Semaphore(AT_ONCE_MAX);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = all.stream()
                    .map(one -> threads.submit((Callable<R>) () -> {
                        permits.acquire();
                        try {
                            return function.apply(one);
                        } finally {
                            permits.release();
                        }
                    }))
                    .toList();
            return results.stream().map(Together::result).toList();
        }
    }

    public static <T> void forEach(List<T> all, Consumer<T> action) {
        map(all, one -> {
            action.accept(one);
            return one;
        });
    }

    private static <R> R result(Future<R> future) {
        try {
            return future.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the database was asked", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }
}
