package dev.orrery.example.modeling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** Says in one sentence which model is dearer for which task, and how tasks have to be mixed for it to be worth it. */
final class Conclusion {
    private Conclusion() {}

    static String of(TradeOff tradeOff) {
        var rows = tradeOff.rows();
        var parts = new ArrayList<String>();
        addPart(parts, rows, Row::isCheaperWithPattern, quoted(tradeOff.opposite()) + " costs ", Conclusion::dearer);
        addPart(parts, rows, Row::isCheaperWithOpposite, quoted(tradeOff.pattern()) + " costs ", Conclusion::dearer);
        addPart(parts, rows, Conclusion::isTie, "both cost the same ", row -> "to " + row.task());
        addBalance(parts, tradeOff);
        return capitalised(String.join("; ", parts)) + ".";
    }

    private static void addPart(
            List<String> parts, List<Row> rows, Predicate<Row> concerned, String start, Function<Row, String> words) {
        var told = rows.stream().filter(concerned).map(words).toList();
        if (!told.isEmpty()) {
            parts.add(start + listed(told));
        }
    }

    private static String dearer(Row row) {
        return number(row.factor()) + " times as much to " + row.task();
    }

    private static boolean isTie(Row row) {
        return !row.isCheaperWithPattern() && !row.isCheaperWithOpposite();
    }

    /** The first task that speaks for the pattern against the first one that does not: tasks stand in order of weight. */
    private static void addBalance(List<String> parts, TradeOff tradeOff) {
        var gain = tradeOff.rows().stream().filter(Row::isCheaperWithPattern).findFirst();
        var loss = tradeOff.rows().stream().filter(Row::isCheaperWithOpposite).findFirst();
        if (gain.isEmpty() || loss.isEmpty()) {
            return;
        }
        double gains = gain.get().savedRequestUnits();
        double losses = loss.get().savedRequestUnits();
        parts.add(
                gains >= losses
                        ? balance(tradeOff.pattern(), gain.get(), tradeOff.opposite(), loss.get())
                        : balance(tradeOff.opposite(), loss.get(), tradeOff.pattern(), gain.get()));
    }

    private static String balance(String winner, Row gain, String loser, Row loss) {
        return quoted(winner) + " saves as much when you " + gain.task() + " once as " + quoted(loser)
                + " does when you " + loss.task() + " " + number(gain.savedRequestUnits() / loss.savedRequestUnits())
                + " times";
    }

    private static String listed(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
    }

    private static String quoted(String model) {
        return "“" + model + "”";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
    }

    private static String capitalised(String sentence) {
        return sentence.isEmpty() ? sentence : Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
