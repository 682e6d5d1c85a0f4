package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.SdkQueryPlan.Reach;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of one request of an application have one pattern, whatever they ask for and however an SDK sends them. */
class QueryPatternTest {
    private static final String RESUME = "({documentdb-formattableorderbyquery-filter})";

    @Test
    void valuesAreLeftOut() {
        assertThat(pattern("select * from p where p.type = 'post' and p.likes>-3 AND p.userId = @user"))
                .isEqualTo("SELECT * FROM p WHERE p.type = ? AND p.likes > ? AND p.userId = @user");
        assertThat(pattern("SELECT c.id FROM c WHERE c.a IN (1, 2, 3) OR c.b LIKE 'x%'"))
                .isEqualTo(pattern("SELECT c.id FROM c WHERE c.a IN ('p') OR c.b LIKE '%y'"));
        assertThat(pattern("SELECT VALUE COUNT(1) FROM c WHERE STARTSWITH(c.name, 'A', true)"))
                .isEqualTo("SELECT VALUE COUNT(1) FROM c WHERE STARTSWITH(c.name, ?, ?)");
        assertThat(pattern("SELECT * FROM c WHERE c.a = 1 ORDER BY c.b DESC OFFSET 20 LIMIT 10"))
                .isEqualTo("SELECT * FROM c WHERE c.a = ? ORDER BY c.b DESC OFFSET ? LIMIT ?");
    }

    @Test
    void howManyItemsAreNamedMakesNoDifference() {
        var few = "SELECT * FROM c WHERE (c.id = @a AND c.pk = @b) OR (c.id = @c AND c.pk = @d)"
                + " OR (c.id = @e AND c.pk = @f) OR (c.id = @g AND c.pk = @h)";
        assertThat(pattern(few)).isEqualTo(pattern(few + " OR (c.id = @i AND c.pk = @j)"));
    }

    @Test
    void whatBelongsTogetherStaysTogether() {
        assertThat(pattern("SELECT * FROM c WHERE c.team = @t AND (c.prio = 1 OR c.assignee = @x)"))
                .isEqualTo("SELECT * FROM c WHERE c.team = @t AND ((c.prio = ?) OR (c.assignee = @x))");
        assertThat(pattern("SELECT * FROM c WHERE (c.prio = 1 OR c.assignee = @x)"))
                .isEqualTo("SELECT * FROM c WHERE (c.prio = ?) OR (c.assignee = @x)");
        assertThat(pattern("SELECT * FROM c WHERE c.a = 1 AND (c.b ? c.c : c.d)"))
                .isEqualTo("SELECT * FROM c WHERE c.a = ? AND (c.b ? c.c : c.d)");
    }

    @Test
    void whatIsAskedForStays() {
        assertThat(pattern("SELECT TOP 10 * FROM c")).isNotEqualTo(pattern("SELECT TOP 20 * FROM c"));
        assertThat(pattern("SELECT c.a FROM c")).isNotEqualTo(pattern("SELECT c.b FROM c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT TOP 100 * FROM p WHERE p.type = 'post' ORDER BY p.creationDate DESC",
                "SELECT p.id, p.title AS name FROM p ORDER BY p.creationDate ASC",
                "SELECT VALUE COUNT(1) FROM p WHERE p.type = 'x'",
                "SELECT VALUE AVG(p.price) FROM p",
                "SELECT VALUE MAX(p.price) FROM p WHERE p.a = 1",
                "SELECT COUNT(1) AS number, p.type FROM p GROUP BY p.type",
                "SELECT COUNT(1) AS number FROM p"
            })
    void whatAnSdkMakesOfAQueryIsTheSameQuery(String text) {
        var query = Query.of(text);
        var inputs = QueryInputs.of(Map.of(), Instant.EPOCH, new Random(1));
        var plan = query.sdkPlan(inputs, EnumSet.allOf(PlanFeature.class), Reach.SEVERAL_RANGES);
        var rewritten = ((Obj) plan.member("queryInfo")).member("rewrittenQuery");

        assertThat(rewritten).isInstanceOf(Str.class).isNotEqualTo(new Str(""));
        var sent = ((Str) rewritten).value();
        assertThat(pattern(sent.replace(RESUME, "true"))).isEqualTo(query.pattern());
    }

    private static String pattern(String text) {
        return Query.of(text).pattern();
    }
}
