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
    /** Client and server are Java programs, which are quick only after some thousand calls. */
    private static final int WARM_UP_FACTOR = 10;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

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

    /** @param count how many calls of each request count; several times as many before them do not */
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
        var rows = new ArrayList<Row>();
        try (var progress = new Progress("measure " + version, (long) ORDER.size() * callsMax())) {
            for (var request : ORDER) {
                warmUp(blog, request, progress);
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

    /** Commands must all be given, so that every version has the same data afterwards; queries may be too slow for it. */
    private void warmUp(BlogPlatform blog, Request request, Progress progress) {
        boolean command = request.name().startsWith("C");
        long until = System.nanoTime() + WARM_UP_NANOS;
        int done = 0;
        while (done < warmUpCalls() && (command || System.nanoTime() < until)) {
            calls.ask(blog, request, done++);
            progress.add(1);
        }
        progress.skip(warmUpCalls() - done);
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }
}
