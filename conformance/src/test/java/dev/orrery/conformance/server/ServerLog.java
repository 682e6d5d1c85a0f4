package dev.orrery.conformance.server;

import dev.orrery.conformance.Await;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The last lines a server printed, on stdout and stderr alike. */
public final class ServerLog {
    private static final int LINES_MAX = 5_000;

    private final Deque<String> lines = new ArrayDeque<>();
    private long count;

    synchronized void add(String line) {
        lines.addLast(line);
        count++;
        if (lines.size() > LINES_MAX) {
            lines.removeFirst();
        }
        notifyAll();
    }

    /** Whether a line with such a part comes, or has come already: a log may lag behind a reply. */
    public synchronized boolean waitFor(String part) throws InterruptedException {
        long until = System.nanoTime() + Await.PATIENCE.toNanos();
        while (lines.stream().noneMatch(line -> line.contains(part))) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** How many lines were printed so far: a place to look from later. */
    public synchronized long count() {
        return count;
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    public synchronized String tail(int linesMax) {
        return since(count - linesMax);
    }

    synchronized String since(long position) {
        var dropped = count - lines.size();
        return String.join(
                "\n", lines.stream().skip(Math.max(0, position - dropped)).toList());
    }
}
