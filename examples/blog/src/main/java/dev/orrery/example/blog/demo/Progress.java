package dev.orrery.example.blog.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Shows how far something has come: a bar for a person, a line now and then for a log. */
final class Progress implements AutoCloseable {
    private static final long BAR_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BAR_CHARACTERS = 30;
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream err;
    private final boolean watched = Optional.ofNullable(System.console())
            .filter(console -> console.isTerminal())
            .isPresent();
    private final String task;
    private final long total;
    private final long started = System.nanoTime();
    private long shown = started;
    private long done;

    Progress(String task, long total) {
        this(task, total, System.err); // stdout is for results
    }

    Progress(String task, long total, PrintStream err) {
        this.task = task;
        this.total = total;
        this.err = err;
    }

    synchronized void add(long items) {
        stepTo(done + items);
    }

    synchronized void stepTo(long items) {
        done = items;
        long now = System.nanoTime();
        if (now - shown >= (watched ? BAR_NANOS : LINE_NANOS)) {
            shown = now;
            show();
        }
    }

    /** How many a second so far. */
    synchronized double rate() {
        return done / seconds();
    }

    synchronized double seconds() {
        return Math.max(1e-9, (System.nanoTime() - started) / 1e9);
    }

    private void show() {
        double share = total == 0 ? 1 : Math.min(1, (double) done / total);
        int full = (int) (share * BAR_CHARACTERS);
        var bar = watched ? "█".repeat(full) + "░".repeat(BAR_CHARACTERS - full) + " " : "";
        var line = String.format(
                Locale.ROOT, "%s %s%3.0f %%  %,d of %,d, %,.0f a second", task, bar, 100 * share, done, total, rate());
        if (watched) {
            err.print(CLEAR_LINE + line);
            err.flush();
        } else {
            err.println(line);
        }
    }

    /** Tells how long it took, or how far it came when something has kept it from the end. */
    @Override
    public synchronized void close() {
        if (watched) {
            err.print(CLEAR_LINE);
        }
        if (done < total) {
            err.printf(Locale.ROOT, "%s: stopped after %,d of %,d%n", task, done, total);
            return;
        }
        err.printf(Locale.ROOT, "%s: %,d in %.1f s, %,.0f a second%n", task, done, seconds(), rate());
    }
}
