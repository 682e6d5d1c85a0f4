package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.golden.Transcript;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyConditionsTest {
    private static final Set<JsonPath> PATHS =
            Set.of(JsonPath.parse("/id"), JsonPath.parse("/pk"), JsonPath.parse("/a/b"));

    /** Alternatives are written one after another, each with its paths and their possible values. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        c.id = "x" | {/id ["x"]}
        "x" = c.id | {/id ["x"]}
        c["pk"] = @p | {/pk ["par"]}
        c.a.b = 5 AND c.id = "x" AND c.v > 1 | {/a/b [5] /id ["x"]}
        c.id IN ("x", "y", @p) | {/id ["par","x","y"]}
        c.id IN ("x", c.v) | {}
        ARRAY_CONTAINS(["x", "y"], c.id) | {/id ["x","y"]}
        ARRAY_CONTAINS([], c.id) |
        ARRAY_CONTAINS(["x"], c.id, true) | {}
        ARRAY_CONTAINS(c.tags, "x") | {}
        c.id = c.pk | {}
        c.id = "x" OR c.id = "y" | {/id ["x"]} {/id ["y"]}
        c.id = "x" OR c.v = 1 | {}
        (c.id = "a" AND c.pk = 1) OR (c.id = "b" AND c.pk = 2) | {/id ["a"] /pk [1]} {/id ["b"] /pk [2]}
        (c.id = "a" OR c.id = "b") AND c.pk = 1 | {/id ["a"] /pk [1]} {/id ["b"] /pk [1]}
        c.id = "a" AND c.id = "b" |
        c.id = "a" AND c.id IN ("a", "b") | {/id ["a"]}
        c.pk = null | {/pk [null]}
        c.pk = true | {/pk [true]}
        c.pk = 1.0 | {/pk [1]}
        NOT IS_DEFINED(c.pk) | {/pk [undefined]}
        IS_DEFINED(c["pk"]) = false AND c.id = "x" | {/id ["x"] /pk [undefined]}
        IS_DEFINED(c.pk) | {}
        NOT IS_NULL(c.pk) | {}
        c.pk = undefined |
        false |
        true | {}
        NOT (c.id = "x") | {}
        c.id != "x" | {}
        c.id < "x" | {}
        c.id = "x" ? true : false | {}
        UPPER(c.id) = "X" | {}
        c.a = {"b": 1} | {}
        c.a["b"] = "q" | {/a/b ["q"]}
        c.pk[0] = 1 | {}
        """)
    void conditionsOnKeysAreFound(String where, String alternatives) {
        var found = query("SELECT * FROM c WHERE " + where).stream()
                .map(KeyConditionsTest::print)
                .collect(Collectors.joining(" "));
        assertThat(found).isEqualTo(alternatives == null ? "" : alternatives);
    }

    @Test
    void theItemIsFoundBehindAliasesJoinsPathsAndSubqueries() {
        assertThat(query("SELECT VALUE t FROM root r JOIN t IN r.tags WHERE r.id = 'x' AND t = 'id'"))
                .map(KeyConditionsTest::print)
                .containsExactly("{/id [\"x\"]}");
        assertThat(query("SELECT * FROM c.a x WHERE x.b = 1"))
                .map(KeyConditionsTest::print)
                .containsExactly("{/a/b [1]}");
        assertThat(query("SELECT COUNT(1) FROM (SELECT DISTINCT VALUE c.v FROM c WHERE c.pk = 1) x WHERE x = 2"))
                .map(KeyConditionsTest::print)
                .containsExactly("{/pk [1]}");
        assertThat(query("SELECT * FROM t IN c.tags WHERE t.id = 'x'"))
                .map(KeyConditionsTest::print)
                .containsExactly("{}");
    }

    @Test
    void aThousandPairsAreAThousandAlternatives() {
        var pairs = new StringBuilder("(c.id = '0' AND c.pk = 0)");
        for (var number = 1; number < 1_000; number++) {
            pairs.append(" OR (c.id = '")
                    .append(number)
                    .append("' AND c.pk = ")
                    .append(number)
                    .append(")");
        }
        assertThat(query("SELECT * FROM c WHERE " + pairs)).hasSize(1_000);
    }

    @Test
    void knowingTooMuchIsGivenUp() {
        var terms = new StringBuilder("(c.id = 'x' OR c.pk = 0)");
        for (var number = 1; number < 64; number++) {
            terms.append(" AND (c.id = 'x' OR c.pk = ").append(number).append(")");
        }
        assertThat(query("SELECT * FROM c WHERE " + terms)).hasSizeLessThanOrEqualTo(10_000);
    }

    @Test
    void everyItemThatGivesARowFitsAnAlternative() {
        var checked = 0;
        for (var statement : GoldenCorpus.statements()) {
            checked += fits(statement);
        }
        assertThat(checked).isGreaterThan(200);
    }

    private static int fits(Transcript.Statement statement) {
        var inputs = GoldenCorpus.inputs(statement);
        var paths = Set.of(JsonPath.parse("/id"), JsonPath.parse("/pk"), JsonPath.parse("/v"), JsonPath.parse("/n"));
        var checked = 0;
        try {
            var query = statement.query();
            if (query.shape() != Query.Shape.STREAMING) {
                return 0;
            }
            var alternatives = query.keyConditions(paths, inputs);
            for (var item : statement.items()) {
                if (!GoldenCorpus.rows(query, inputs, List.of(item), 0).isEmpty()) {
                    checked++;
                    assertThat(alternatives)
                            .as(statement.text() + " over " + item)
                            .anyMatch(alternative -> fits(item, alternative));
                }
            }
        } catch (FailureException _) {
            return checked; // a statement that is refused says nothing about items
        }
        return checked;
    }

    private static boolean fits(JsonValue item, KeyConditions.Alternative alternative) {
        return alternative.values().entrySet().stream()
                .allMatch(condition ->
                        condition.getValue().contains(condition.getKey().in(item)));
    }

    private static List<KeyConditions.Alternative> query(String text) {
        Map<String, JsonValue> parameters = Map.of("@p", JsonReader.parse("\"par\""));
        return Query.of(text).keyConditions(PATHS, QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1)));
    }

    private static String print(KeyConditions.Alternative alternative) {
        return alternative.values().entrySet().stream()
                .map(condition -> condition.getKey() + " "
                        + condition.getValue().stream()
                                .map(value -> value.isUndefined() ? "undefined" : JsonWriter.text(value))
                                .sorted()
                                .collect(Collectors.joining(",", "[", "]")))
                .sorted()
                .collect(Collectors.joining(" ", "{", "}"));
    }
}
