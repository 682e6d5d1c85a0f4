package dev.orrery.example.modeling.demo;

import dev.orrery.example.common.DemoException;
import dev.orrery.example.modeling.Pattern;
import dev.orrery.example.modeling.TradeOff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A page of Markdown that has a place for each pattern, between two marks with its label. */
final class Page {
    private static final String SURROUNDINGS = "surroundings";

    private Page() {}

    /** What is said of one pattern, on the page as well as at the terminal. */
    static String section(TradeOff tradeOff) {
        var text = new StringBuilder(Table.of(tradeOff));
        text.append("\n\n").append(tradeOff.conclusion()).append('\n');
        tradeOff.findings().forEach(finding -> text.append('\n').append(finding).append('\n'));
        return text.toString();
    }

    /** Puts everything between the marks, in place of what is there; the rest stays as it is. */
    static void write(Path file, String surroundings, Map<Pattern, TradeOff> tradeOffs) {
        try {
            var page = replace(Files.readString(file), SURROUNDINGS, surroundings + "\n");
            for (var entry : tradeOffs.entrySet()) {
                page = replace(page, entry.getKey().label(), section(entry.getValue()));
            }
            Files.writeString(file, page);
        } catch (IOException failure) {
            throw new DemoException("Cannot write " + file + ": " + failure, failure);
        }
    }

    /** Complains about a page that has no place for the surroundings or one of the patterns. */
    static void check(String page, List<Pattern> patterns) {
        replace(page, SURROUNDINGS, "");
        patterns.forEach(pattern -> replace(page, pattern.label(), ""));
    }

    static String replace(String page, String label, String section) {
        var begin = "<!-- demo modeling " + label + ": begin -->";
        var end = "<!-- demo modeling " + label + ": end -->";
        int start = page.indexOf(begin);
        int stop = page.indexOf(end);
        if (start < 0 || stop < start) {
            throw new DemoException(
                    "The page has no place for the figures: it needs the lines " + begin + " and " + end);
        }
        return page.substring(0, start + begin.length()) + "\n\n" + section + "\n" + page.substring(stop);
    }
}
