package dev.orrery.sql.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComputedPropertyQueryTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE LOWER(c.name) FROM c",
                "SELECT VALUE c.a FROM root c",
                "SELECT VALUE p.a FROM products AS p",
                "select value IS_DEFINED(c.a) ? c.a : c.parents[0].name from c",
                "SELECT VALUE ARRAY(SELECT VALUE t.name FROM t IN c.tags) FROM c",
                "SELECT VALUE 5 FROM c"
            })
    void oneValueForEachItemIsAccepted(String query) {
        ComputedPropertyQuery.check(container(query));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT VALUE c.a | FROM must be the item
        SELECT VALUE c.a FROM c.b c | FROM must be the item
        SELECT VALUE t FROM t IN c.tags | FROM must be the item
        SELECT VALUE x FROM (SELECT VALUE c.a FROM c) x | FROM must be the item
        SELECT VALUE t FROM c JOIN t IN c.tags | cannot have JOIN
        SELECT VALUE c.a FROM c WHERE c.b | WHERE
        SELECT VALUE c.a FROM c GROUP BY c.a | GROUP BY
        SELECT VALUE c.a FROM c ORDER BY c.a | ORDER BY
        SELECT VALUE c.a FROM c OFFSET 0 LIMIT 1 | OFFSET
        SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.tags) FROM c | subquery
        SELECT VALUE (SELECT VALUE c.a) FROM c | subquery
        SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags) FROM c | subquery
        SELECT VALUE 1 + ARRAY(SELECT TOP 1 VALUE t FROM t IN c.tags)[0] FROM c | TOP
        SELECT VALUE SUM(c.a) FROM c | aggregate such as SUM
        SELECT VALUE RAND() FROM c | every time
        SELECT VALUE GetCurrentDateTime() FROM c | every time
        SELECT VALUE ST_DISTANCE(c.a, c.b) FROM c | spatial
        SELECT VALUE udf.f(c.a) FROM c | user-defined
        SELECT VALUE c.a + @p FROM c | parameters
        SELECT VALUE UNHEARD_OF(c.a) FROM c | not a recognized built-in function
        SELECT VALUE d.a FROM c | could not be resolved
        SELECT VALUE c. FROM c | incorrect syntax
        """)
    void anythingElseIsRefusedInWords(String query, String words) {
        assertThatThrownBy(() -> ComputedPropertyQuery.check(container(query)))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refusal -> assertThat(refusal.failure()).isInstanceOf(Failure.BadRequest.class))
                .hasMessageContaining("'computed'")
                .hasMessageContaining(words);
    }

    private static ContainerDefinition container(String query) {
        return ContainerDefinition.parse(Obj.builder()
                .put("id", "c")
                .put("partitionKey", JsonReader.parse("{\"paths\":[\"/pk\"]}"))
                .put(
                        "computedProperties",
                        JsonValue.array(Obj.builder()
                                .put("name", "computed")
                                .put("query", query)
                                .build()))
                .build());
    }
}
