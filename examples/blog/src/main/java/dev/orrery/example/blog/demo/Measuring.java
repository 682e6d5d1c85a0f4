package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Answer;
import dev.orrery.example.blog.BlogPlatform;
import dev.orrery.example.blog.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks every request many times, one call after the other, and notes time and charge. */
final class Measuring {
    /** How many commands come before each that counts. */
    private static final int WARM_UP_FACTOR = 10;

    /**
     * For how long queries are asked before each call that counts, up to as many as suffice. Client and server are Java
     * programs, which are quick only after some ten thousand calls: a list of comments that takes 1.5 ms after 2,000 calls
     * takes 1.0 ms after 12,000.
     */
    private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** How many calls give times that mean something. */
    static final int CALLS_THAT_SUFFICE = 200;

    /** Queries first: the calls of a version must not meet what its own commands have added. */
    private static final List<Request> ORDER = List.of(
            Request.Q1,
            Request.Q2,
            Request.Q3,
            Request.Q4,
            Request.Q5,
            Request.Q6,
            Request.C1,
            Request.C2,
            Request.C3,
            Request.C4);

    private final Calls calls;
    private final int count;
    private boolean begun;

    /** @param count how many calls of each request count; what comes before them does not */
    Measuring(Calls calls, int count) {
        this.calls = calls;
        this.count = count;
    }

    /** How many calls of each request there are at most. */
    int callsMax() {
        return warmUpCalls() + count;
    }

    private int warmUpCalls() {
        return WARM_UP_FACTOR * count;
    }

    /** @param quiet waits until the consumers have nothing left to do: what one request caused is not told of the next */
    List<Row> measure(Version version, BlogPlatform blog, Runnable quiet) {
        if (!begun) {
            begun = true;
            warmUp(version, blog);
        }
        var rows = new ArrayList<Row>();
        try (var progress = new Progress("measure " + version, (long) ORDER.size() * callsMax())) {
            for (var request : ORDER) {
                if (isCommand(request)) {
                    giveCommands(blog, request, progress);
                } else {
                    askQueries(blog, request, progress);
                }
                quiet.run();
                rows.add(measure(version, blog, request, progress));
            }
        }
        return rows;
    }

    private Row measure(Version version, BlogPlatform blog, Request request, Progress progress) {
        var nanos = new long[count];
        var answers = new ArrayList<Answer<?>>();
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            answers.add(calls.ask(blog, request, warmUpCalls() + i));
            nanos[i] = System.nanoTime() - start;
            progress.add(1);
        }
        Arrays.sort(nanos);
        return new Row(
                request,
                version,
                percentile(nanos, 0.50),
                percentile(nanos, 0.99),
                answers.stream().mapToDouble(Answer::charge).average().orElseThrow(),
                answers.stream().mapToInt(Answer::operations).average().orElseThrow(),
                answers.stream().allMatch(Answer::isLean));
    }

    /** Whatever version is the first would be slower than the others: what it shares with them is compiled for it. */
    private void warmUp(Version version, BlogPlatform blog) {
        var queries = ORDER.stream().filter(request -> !isCommand(request)).toList();
        try (var progress = new Progress("warm up with " + version, (long) queries.size() * warmUpCalls())) {
            queries.forEach(request -> askQueries(blog, request, progress));
        }
    }

    private static boolean isCommand(Request request) {
        return request.name().startsWith("C");
    }

    /** As many for every version, so that each has the same data afterwards. */
    private void giveCommands(BlogPlatform blog, Request request, Progress progress) {
        for (int i = 0; i < warmUpCalls(); i++) {
            calls.ask(blog, request, i);
            progress.add(1);
        }
    }

    /** For some time, about other things than the calls that count. */
    private void askQueries(BlogPlatform blog, Request request, Progress progress) {
        long nanos = WARM_UP_NANOS * Math.min(count, CALLS_THAT_SUFFICE);
        long start = System.nanoTime();
        int shown = 0;
        for (int call = -1; shown < warmUpCalls(); call--) {
            calls.ask(blog, request, call);
            int due = (int) Math.min(warmUpCalls(), (System.nanoTime() - start) * warmUpCalls() / nanos);
            progress.add(due - shown);
            shown = due;
        }
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }
}
