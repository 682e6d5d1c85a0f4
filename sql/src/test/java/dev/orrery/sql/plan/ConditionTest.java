package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        c.a = 1                                 | true
        c.a = 1 AND c.b > 2                     | true
        c.a = 1 AND c.b + 1 > 2                 | false
        c.a = 1 AND NOT c.missing != c.b        | false
        c.a = 1 OR (c.b = 2 AND c.c = c.d)      | false
        """)
    void itIsExactOnlyWhenItSaysAllThatTheFilterSays(String filter, boolean exact) {
        assertThat(Condition.isExact(condition("FROM c WHERE " + filter))).isEqualTo(exact);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c.a >= 1 AND c.a <= 5",
                "c.a <= 5 AND c.a >= 1",
                "1 <= c.a AND 5 >= c.a",
                "(c.a >= 1 AND c.a <= 5) AND true"
            })
    void twoEndsMakeOneRange(String filter) {
        assertThat(condition("FROM c WHERE " + filter)).isEqualTo(condition("FROM c WHERE c.a BETWEEN 1 AND 5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FROM c WHERE c.a > 1 AND c.b < 5",
                "FROM c WHERE c.a > 1 AND c.a < 'x'",
                "FROM c WHERE c.a > 1 AND c.a > 5",
                "FROM c JOIN e IN c.a WHERE e > 1 AND e < 5"
            })
    void endsOfDifferentThingsStayApart(String query) {
        assertThat(condition(query))
                .isInstanceOfSatisfying(
                        Condition.All.class, all -> assertThat(all.parts()).hasSize(2));
    }

    private static Condition condition(String query) {
        var inputs = QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1));
        return Query.of("SELECT VALUE COUNT(1) " + query).condition(inputs);
    }
}
