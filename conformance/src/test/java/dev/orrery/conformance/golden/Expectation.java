package dev.orrery.conformance.golden;

import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.golden.Asker.Answer;
import dev.orrery.conformance.golden.Containers.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares what an SDK gave with what a transcript says, as far as a client can rely on it. */
final class Expectation {
    private static final List<String> SYSTEM_PROPERTIES = List.of("_rid", "_self", "_etag", "_ts", "_attachments");

    /** Statements, as patterns of their text, that cannot be compared at all, and why. */
    static final Map<String, String> SKIPPED =
            Map.of("\\b(GETCURRENT|NOW\\()", "The transcript has a fixed time, a server has its clock.");

    /** Refusals that only a client meets which puts rows of partitions together, by their words, and why. */
    static final Map<String, String> REFUSED_OVER_PARTITIONS = Map.of(
            "Compositions of aggregates", "SDKs put together aggregates that stand alone, not what is made of them.",
            "ORDER BY together with GROUP BY", "No SDK sorts groups.",
            "depend on more than one item", "No SDK runs a query over the rows of another one.",
            "from 0 to 2147483647", "SDKs read counts as numbers of 32 bits.",
            "CountIf", "The Java SDK does not put counts of conditions together.",
            "ListAndSetAggregate", "The Java SDK does not put lists and sets together.");

    private final Statement statement;
    private final Spread spread;
    private final Asker asker;

    Expectation(Statement statement, Spread spread, Asker asker) {
        this.statement = statement;
        this.spread = spread;
        this.asker = asker;
    }

    /** Empty when the answer is right, else what is wrong with it. */
    String fault(Answer answer) {
        boolean known = asker.differences().keySet().stream()
                .anyMatch(difference -> answer.message().contains(difference) || statement.mentions(difference));
        return known ? "" : difference(answer);
    }

    private String difference(Answer answer) {
        var first = statement.result().getFirst();
        if (first.startsWith("! ")) {
            int expected = first.startsWith("! Unsupported") ? 501 : 400;
            return answer.status() == expected ? "" : "expected " + first + "\n  but was " + shown(answer);
        }
        if (answer.status() != 200) {
            return spread == Spread.MANY_PARTITIONS
                            && answer.status() == 400
                            && REFUSED_OVER_PARTITIONS.keySet().stream().anyMatch(answer.message()::contains)
                    ? ""
                    : "expected rows\n  but was " + shown(answer);
        }
        var lines = first.equals("(no rows)") ? List.<String>of() : statement.result();
        var expected = canonical(lines.stream().map(Statement::json).toList());
        var actual = canonical(answer.rows());
        return isSame(expected, actual) ? "" : "expected " + expected + "\n  but was " + actual;
    }

    private boolean isSame(List<String> expected, List<String> actual) {
        boolean inOrder = statement.isSorted() || (statement.isInOrderOfIds() && !statement.mentions("\\bGROUP\\b"));
        if (spread == Spread.ONE_PARTITION && inOrder) {
            return expected.equals(actual);
        }
        if (!statement.isSorted() && statement.mentions("\\b(TOP|LIMIT|FIRST|LAST)\\b")) {
            return expected.size() == actual.size(); // Which rows come first is up to the partitions.
        }
        return expected.stream()
                .sorted()
                .toList()
                .equals(actual.stream().sorted().toList());
    }

    private static String shown(Answer answer) {
        return answer.status() == 200
                ? answer.rows().toString()
                : answer.status() + " "
                        + answer.message()
                                .substring(0, Math.min(500, answer.message().length()));
    }

    private List<String> canonical(List<JsonNode> rows) {
        var texts = new ArrayList<String>();
        for (var row : rows) {
            if (asker.opensArrays() && row.isArray()) {
                var elements = new ArrayList<JsonNode>();
                row.forEach(elements::add);
                texts.addAll(canonical(elements));
            } else {
                texts.add(canonical(row));
            }
        }
        return texts;
    }

    /** A text that is the same for equal values. */
    private String canonical(JsonNode value) {
        if (value.isNumber()) {
            return Double.toString(value.doubleValue() + 0.0);
        }
        if (value.isArray()) {
            var elements = new ArrayList<String>();
            value.forEach(element -> elements.add(canonical(element)));
            if (spread == Spread.MANY_PARTITIONS && statement.mentions("\\bMAKE(LIST|SET)\\b")) {
                elements.sort(null);
            }
            return elements.toString();
        }
        if (value.isObject()) {
            var members = new TreeMap<String, String>();
            value.properties().forEach(member -> members.put(member.getKey(), canonical(member.getValue())));
            members.keySet().removeAll(SYSTEM_PROPERTIES);
            return members.toString();
        }
        return value.toString();
    }
}
