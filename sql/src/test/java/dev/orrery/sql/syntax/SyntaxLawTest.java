package dev.orrery.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.Seed;
import dev.orrery.sql.golden.GoldenCorpus;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SyntaxLawTest {
    private static final String SIGNS = "(){}[],.:?|&^~=!<>+-*/%\"'@#$0 \n\\\0é" + Character.MIN_SURROGATE;

    @Test
    void whatIsPrintedIsReadBackAsTheSame() {
        var syntax = new RandomSyntax(Seed.random());
        for (var round = 0; round < 3_000; round++) {
            var query = syntax.query(3);
            var text = SyntaxPrinter.print(query);
            assertThat(QueryParser.parse(text)).as(text).isEqualTo(query);
        }
    }

    @Test
    void theCorpusIsReadBackAsTheSame() {
        for (var statement : GoldenCorpus.statements()) {
            SelectQuery query;
            try {
                query = QueryParser.parse(statement.text());
            } catch (FailureException _) {
                continue; // what cannot be read cannot be printed
            }
            var text = SyntaxPrinter.print(query);
            assertThat(QueryParser.parse(text)).as(text).isEqualTo(query);
        }
    }

    @Test
    void damagedQueriesAreReadOrRefusedAndNothingElse() {
        var random = Seed.random();
        var texts = GoldenCorpus.statements();
        var refused = 0;
        for (var round = 0; round < 20_000; round++) {
            var statement = texts.get(random.nextInt(texts.size()));
            var text = damaged(
                    statement.text(), texts.get(random.nextInt(texts.size())).text(), random);
            try {
                var query = Query.of(text);
                GoldenCorpus.rows(query, GoldenCorpus.inputs(statement), statement.items(), 0)
                        .forEach(JsonWriter::bytes);
            } catch (FailureException _) {
                refused++;
            } catch (RuntimeException bug) {
                throw new AssertionError("A bug in: " + text, bug);
            }
        }
        assertThat(refused).isBetween(1_000, 19_999);
    }

    private static String damaged(String text, String other, RandomGenerator random) {
        var damaged = new StringBuilder(text);
        for (var count = 1 + random.nextInt(3); count > 0; count--) {
            var at = random.nextInt(damaged.length() + 1);
            var end = Math.min(damaged.length(), at + random.nextInt(8));
            switch (random.nextInt(4)) {
                case 0 -> damaged.delete(at, end);
                case 1 -> damaged.insert(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
                case 2 -> damaged.insert(at, damaged.substring(at, end));
                default -> {
                    var from = random.nextInt(other.length());
                    damaged.insert(at, other, from, Math.min(other.length(), from + random.nextInt(20)));
                }
            }
        }
        return damaged.toString();
    }

    /** Twice the text must not take much more than twice the work, which is measured in bytes and not in time. */
    @TestFactory
    Stream<DynamicTest> readingIsLinear() {
        record Shape(String name, IntFunction<String> text) {}
        return Stream.of(
                        new Shape("OR", size -> "SELECT * FROM c WHERE c.id = @p" + " OR c.id = 'a'".repeat(size)),
                        new Shape("AND", size -> "SELECT * FROM c WHERE c.id = @p" + " AND c.id = 'a'".repeat(size)),
                        new Shape("mixed", size -> "SELECT * FROM c WHERE true" + " OR c.a AND NOT c.b".repeat(size)),
                        new Shape("IN", size -> "SELECT * FROM c WHERE c.id IN (0" + ", 1".repeat(size) + ")"),
                        new Shape("list", size -> "SELECT c.a AS a0" + names(size) + " FROM c"),
                        new Shape("array", size -> "SELECT VALUE [0" + ", [1, {a: 1}]".repeat(size) + "]"),
                        new Shape("text", size -> "SELECT VALUE '" + "\\n\\u0041".repeat(size) + "'"),
                        new Shape("comments", size -> "SELECT VALUE 1" + " /* x */ -- y\n".repeat(size)),
                        new Shape("spaces", size -> "SELECT VALUE 1" + " \t\n".repeat(size)),
                        new Shape("refused at the end", size -> "SELECT VALUE 0" + " AND 1".repeat(size) + " AND"),
                        new Shape("open brackets", size -> "SELECT VALUE " + "[".repeat(size)),
                        new Shape("open parentheses", size -> "SELECT VALUE " + "(".repeat(size)),
                        new Shape("sum", size -> "SELECT VALUE 1" + " + 1".repeat(size)),
                        new Shape("path", size -> "SELECT VALUE c" + ".a".repeat(size) + " FROM c"),
                        new Shape("not", size -> "SELECT VALUE " + "NOT ".repeat(size) + "true"),
                        new Shape("conditional", size -> "SELECT VALUE 1" + " ? 2 : 3".repeat(size)))
                .map(shape -> DynamicTest.dynamicTest(shape.name(), () -> {
                    work(shape.text().apply(1_000)); // loads classes
                    var once = work(shape.text().apply(10_000));
                    var twice = work(shape.text().apply(20_000));
                    assertThat(twice).isLessThan(once * 5 / 2 + 100_000);
                }));
    }

    private static String names(int count) {
        var names = new StringBuilder();
        IntStream.range(1, count).forEach(number -> names.append(", c.a AS a").append(number));
        return names.toString();
    }

    private static long work(String text) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();
        try {
            assertThat(Query.of(text)).isNotNull();
        } catch (FailureException _) {
            // Refusing must be linear, too.
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void aChainOfTenThousandTermsIsReadBoundAndRun() {
        var text = new StringBuilder("SELECT VALUE c.id FROM c WHERE ( (c.id = @p)");
        for (var number = 0; number < 10_000; number++) {
            text.append(" OR (c.id = 'x")
                    .append(number)
                    .append("' AND c[\"pk\"] = ")
                    .append(number)
                    .append(" )");
        }
        assertThat(Query.of(text.append(" )").toString())).isNotNull();
    }

    @Test
    void nestingHasALimit() {
        for (var nested : List.of("(", "[", "NOT ", "- ", "ABS(", "{a: ", "1 + (", "(SELECT VALUE ", "true ? 1 : ")) {
            assertThatThrownBy(() -> Query.of("SELECT VALUE " + nested.repeat(Limits.QUERY_DEPTH_MAX + 1)))
                    .as(nested)
                    .isInstanceOf(FailureException.class)
                    .hasMessageContaining("deeper than the limit");
        }
    }

    @Test
    void aHighTreeThatIsReadInALoopHasTheSameLimit() {
        for (var link : List.of(" + 1", " || 1", ".a", "[0]")) {
            assertThat(Query.of("SELECT VALUE c" + link.repeat(Limits.QUERY_DEPTH_MAX - 1) + " FROM c"))
                    .isNotNull();
            assertThatThrownBy(() -> Query.of("SELECT VALUE c" + link.repeat(Limits.QUERY_DEPTH_MAX) + " FROM c"))
                    .as(link)
                    .isInstanceOf(FailureException.class)
                    .hasMessageContaining("deeper than the limit");
        }
    }

    @Test
    void textHasALimit() {
        var longest = "SELECT VALUE 1" + " ".repeat(Limits.QUERY_TEXT_BYTES_MAX - "SELECT VALUE 1".length());
        assertThat(Query.of(longest)).isNotNull();
        assertThatThrownBy(() -> Query.of(longest + " "))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("longer than the limit");
    }
}
