package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SyntaxTree;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What could be put better in a query. The ids are those of the protocol: clients have the words that go with them. */
public enum QueryAdvice {
    /** ARRAY_CONTAINS looks for part of an element, where EXISTS would do. */
    PARTIAL_ARRAY_CONTAINS("QA1000"),
    /** DISTINCT takes back what JOIN has multiplied, where EXISTS would do. */
    DISTINCT_AND_JOIN("QA1001"),
    /** CONTAINS may stand where STARTSWITH is meant. */
    CONTAINS("QA1002"),
    /** STARTSWITH or StringEquals ignores case, where a computed property could hold the text in lower case. */
    CASE_INSENSITIVE_START("QA1003"),
    /** ENDSWITH ignores case. */
    CASE_INSENSITIVE_END("QA1004"),
    /** GROUP BY computes something that a computed property could hold. */
    GROUP_BY_EXPRESSION("QA1005"),
    /** UPPER or LOWER is compared with something. */
    COMPARED_CASE("QA1006"),
    /** The time is taken item by item, and not once for the query. */
    CURRENT_DATE_TIME("QA1007"),
    CURRENT_TICKS("QA1008"),
    CURRENT_TIMESTAMP("QA1009");

    private static final Set<BinaryOperator> COMPARISONS =
            EnumSet.range(BinaryOperator.EQUAL, BinaryOperator.GREATER_OR_EQUAL);

    private final String id;

    QueryAdvice(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public static Set<QueryAdvice> of(SelectQuery query) {
        var found = EnumSet.noneOf(QueryAdvice.class);
        if (query.select().distinct()
                && query.from().filter(from -> !from.joins().isEmpty()).isPresent()) {
            found.add(DISTINCT_AND_JOIN);
        }
        if (query.groupBy().stream().anyMatch(key -> !isPath(key))) {
            found.add(GROUP_BY_EXPRESSION);
        }
        var left = new ArrayDeque<>(SyntaxTree.expressions(query));
        while (!left.isEmpty()) {
            var expression = left.pop();
            if (expression instanceof Expression.Call call) {
                note(call, found);
            } else if (expression instanceof Expression.Binary binary
                    && COMPARISONS.contains(binary.operator())
                    && (changesCase(binary.left()) || changesCase(binary.right()))) {
                found.add(COMPARED_CASE);
            }
            left.addAll(SyntaxTree.children(expression));
        }
        return found;
    }

    private static void note(Expression.Call call, Set<QueryAdvice> found) {
        boolean thirdIsTrue = call.arguments().size() == 3
                && call.arguments().getLast() instanceof Expression.Literal(Bool(boolean value), var _)
                && value;
        switch (name(call)) {
            case "ARRAY_CONTAINS" -> addIf(thirdIsTrue, PARTIAL_ARRAY_CONTAINS, found);
            case "CONTAINS" -> found.add(CONTAINS);
            case "STARTSWITH", "STRINGEQUALS" -> addIf(thirdIsTrue, CASE_INSENSITIVE_START, found);
            case "ENDSWITH" -> addIf(thirdIsTrue, CASE_INSENSITIVE_END, found);
            case "GETCURRENTDATETIME" -> found.add(CURRENT_DATE_TIME);
            case "GETCURRENTTICKS" -> found.add(CURRENT_TICKS);
            case "GETCURRENTTIMESTAMP" -> found.add(CURRENT_TIMESTAMP);
            default -> {}
        }
    }

    private static void addIf(boolean applies, QueryAdvice advice, Set<QueryAdvice> found) {
        if (applies) {
            found.add(advice);
        }
    }

    private static boolean isPath(Expression expression) {
        return switch (expression) {
            case Expression.Name _ -> true;
            case Expression.Property property -> isPath(property.target());
            case Expression.Element element ->
                isPath(element.target()) && element.index() instanceof Expression.Literal;
            default -> false;
        };
    }

    private static boolean changesCase(Expression expression) {
        return expression instanceof Expression.Call call
                && List.of("UPPER", "LOWER").contains(name(call));
    }

    private static String name(Expression.Call call) {
        return call.function().toUpperCase(Locale.ROOT);
    }
}
