package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.sql.Query;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryAdviceTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, {'a': 1}, true)      | QA1000
        SELECT DISTINCT c.id FROM c JOIN t IN c.tags WHERE t = 'x'        | QA1001
        SELECT * FROM c WHERE contains(c.name, 'x')                       | QA1002
        SELECT * FROM c WHERE STARTSWITH(c.name, 'x', true)               | QA1003
        SELECT * FROM c WHERE StringEquals(c.name, 'x', true)             | QA1003
        SELECT * FROM c WHERE ENDSWITH(c.name, 'x', true)                 | QA1004
        SELECT COUNT(1) AS n FROM c GROUP BY LOWER(c.name)                | QA1005
        SELECT * FROM c WHERE c.n = 1 AND LOWER(c.name) = 'x'             | QA1006
        SELECT * FROM c WHERE c.t > GetCurrentDateTime()                  | QA1007
        SELECT GetCurrentTicks() FROM c WHERE GetCurrentTimestamp() > 10  | QA1008,QA1009
        SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE CONTAINS(t, 'x')) | QA1002
        """)
    void aRuleThatAQueryCouldFollowIsNamed(String query, String rules) {
        assertThat(Query.of(query).advice().stream().map(QueryAdvice::id))
                .containsExactlyElementsOf(Arrays.asList(rules.split(",")));
    }

    @Test
    void whatIsWellPutGetsNoAdvice() {
        for (var query : new String[] {
            "SELECT * FROM c",
            "SELECT * FROM c WHERE c.id = '1' AND ARRAY_CONTAINS(c.tags, 'x') AND STARTSWITH(c.name, 'x')",
            "SELECT * FROM c WHERE StringEquals(c.name, 'x', false)",
            "SELECT LOWER(c.name) AS name FROM c WHERE c.t > GetCurrentDateTimeStatic()",
            "SELECT c.a.b, COUNT(1) AS n FROM c GROUP BY c.a.b, c['d']",
            "SELECT DISTINCT c.name FROM c"
        }) {
            assertThat(Query.of(query).advice()).as(query).isEmpty();
        }
    }
}
