package dev.orrery.server.transfer;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far something has come: a bar for a person, a line now and then for a log. */
public final class Progress implements AutoCloseable {
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int REFRESH_MILLIS = 200;
    private static final String CLEAR_LINE = "\r\033[K";

    /** What the steps of a bar are. */
    public enum Unit {
        BYTES("MB", 1_000_000),
        ITEMS("", 1);

        private final String name;
        private final long size;

        Unit(String name, long size) {
            this.name = name;
            this.size = size;
        }
    }

    private final PrintStream err = System.err; // stdout may be what the rows go to
    private final ProgressBar bar;
    private final boolean watched;
    private final long started = System.nanoTime();
    private long lineAt = started;
    private long itemsFirst = -1;

    /**
     * Begins to show.
     *
     * @param total how many steps there will be, or -1 when nobody knows
     * @param columns of the terminal, or 0 when nobody is watching
     */
    public Progress(String task, long total, Unit unit, int columns) {
        this.watched = columns > 0;
        this.bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(unit.name, unit.size)
                .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .setConsumer(new Screen(columns))
                .build();
    }

    /** Draws the bar, and lets messages stand above it. */
    private final class Screen implements ProgressBarConsumer {
        private final int columns;

        Screen(int columns) {
            this.columns = columns;
        }

        @Override
        public int getMaxRenderedLength() {
            return Math.max(1, columns - 1);
        }

        @Override
        public void accept(String rendered) {
            if (watched) {
                write("\r" + rendered + "\033[K");
            }
        }

        @Override
        public void close() {
            if (watched) {
                write(CLEAR_LINE);
            }
        }

        private void write(String text) {
            synchronized (Progress.this) {
                err.print(text);
                err.flush();
            }
        }
    }

    public synchronized void message(String line) {
        err.println(watched ? CLEAR_LINE + line : line);
        err.flush();
    }

    /** Moves on. */
    public synchronized void show(long done) {
        bar.stepTo(done);
    }

    /** Moves on; items are told with their rate, whatever the bar counts. */
    public synchronized void show(long done, long items) {
        bar.stepTo(done);
        long now = System.nanoTime();
        if (itemsFirst < 0) {
            itemsFirst = items; // those of an earlier run say nothing on the rate
        }
        var told = String.format(
                Locale.ROOT,
                " %,d items, %,.0f/s",
                items,
                (items - itemsFirst) / Math.max(0.001, (now - started) / 1e9));
        if (watched) {
            bar.setExtraMessage(told);
        } else if (now - lineAt >= LINE_NANOS) {
            lineAt = now;
            message(bar.getTaskName() + ":" + told + left(done, now));
        }
    }

    private String left(long done, long now) {
        long total = bar.getMax();
        if (total <= 0 || done <= 0 || done > total) {
            return "";
        }
        double seconds = (now - started) / 1e9 * (total - done) / done;
        var left = Duration.ofSeconds(Math.round(seconds));
        return String.format(
                Locale.ROOT,
                ", %d%%, %d:%02d:%02d left",
                100 * done / total,
                left.toHours(),
                left.toMinutesPart(),
                left.toSecondsPart());
    }

    @Override
    public void close() {
        bar.close();
    }
}
