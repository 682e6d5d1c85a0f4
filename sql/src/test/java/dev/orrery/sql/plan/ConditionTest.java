package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        var inputs = QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1));
        var condition = Query.of("SELECT VALUE COUNT(1) FROM c WHERE " + filter).condition(inputs);
        assertThat(Condition.isExact(condition)).isEqualTo(exact);
    }
}
