package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Version;
import dev.orrery.example.blog.demo.Result.Renaming;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result as a table for a terminal. */
final class TextReport {
    private TextReport() {}

    static void print(Result result, PrintStream out) {
        out.println();
        out.println(
                "                                       reference                 ours               ours / reference");
        out.println(
                "   request                             ms         RU      p50 ms   p99 ms         RU     p50    RU");
        for (var request : Request.values()) {
            out.println();
            result.rows().stream().filter(row -> row.request() == request).forEach(row -> out.println(line(row)));
        }
        out.println();
        facts(result).forEach(out::println);
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "%s %-3s%-27s%s %5d %10.2f   %9.2f %8.2f %10.2f   %5s %5s",
                row.lean() ? "✅" : "⚠ ", // the terminal shows the first twice as wide
                row.request(),
                row.request().title(),
                row.version(),
                row.reference().millis(),
                row.reference().units(),
                row.p50Millis(),
                row.p99Millis(),
                row.units(),
                ratio(row.millisRatio()),
                ratio(row.unitsRatio()));
    }

    static String ratio(double ratio) {
        return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.0f", ratio);
    }

    /** As people say it: {@code 1 user}, {@code 1,000 users}. */
    static String count(int count, String what) {
        return String.format(Locale.ROOT, count == 1 ? "%,d %s" : "%,d %ss", count, what);
    }

    /** What one has to know to read the figures. */
    static List<String> facts(Result result) {
        var load = result.load();
        var views = result.views();
        var facts = new ArrayList<String>();
        facts.add(String.format(
                Locale.ROOT,
                "%s; every posts container has %s.",
                count(result.users(), "user"),
                count(result.partitions(), "physical partition")));
        facts.add(String.format(
                Locale.ROOT,
                "Loaded %,d items in %.1f s through the bulk path: %,.0f items a second.",
                load.items(),
                load.seconds(),
                load.rate()));
        if (views.amount().items() > 0) {
            facts.add(
                    switch (views.by()) {
                        case REPLAY ->
                            String.format(
                                    Locale.ROOT,
                                    "The views of V3 were made by consumers of the change feed from its beginning: %,d"
                                            + " changes in %.1f s.",
                                    views.amount().items(),
                                    views.amount().seconds());
                        case BULK ->
                            String.format(
                                    Locale.ROOT,
                                    "The views of V3 were loaded in bulk (%,d posts), with what consumers would have"
                                            + " written.",
                                    views.amount().items());
                    });
        }
        for (var renaming : result.renamings()) {
            facts.add(String.format(
                    Locale.ROOT,
                    "A new name in %s reached %s %.1f s later.",
                    renaming.version(),
                    reached(renaming),
                    renaming.seconds()));
        }
        facts.add(String.format(
                Locale.ROOT,
                "%s each, one after the other, over random keys; Q4 lists posts with %.0f comments on average, Q5 with"
                        + " %.0f likes.",
                count(result.calls(), "call"),
                result.listed().comments(),
                result.listed().likes()));
        if (result.calls() < Measuring.CALLS_THAT_SUFFICE) {
            facts.add("Times of fewer than " + Measuring.CALLS_THAT_SUFFICE
                    + " calls, after a warm-up that is short as well, mean little.");
        }
        if (result.compared() > 0) {
            facts.add(String.format(
                    Locale.ROOT,
                    "%,d answers were compared between the versions, and were the same.",
                    result.compared()));
        }
        facts.add(
                "The reference was taken in the cloud over 100,000 users; its item sizes and partition counts were not"
                        + " published.");
        facts.add("✅ one operation on one partition; ⚠ several operations, or all partitions are asked.");
        return facts;
    }

    private static String reached(Renaming renaming) {
        var copies = renaming.copies() == 1
                ? "its only copy"
                : String.format(Locale.ROOT, "all %,d copies", renaming.copies());
        return renaming.version() == Version.V3 ? copies + " in posts, and the views," : copies;
    }
}
