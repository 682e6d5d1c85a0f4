package dev.orrery.engine.query;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.PlanQuery;
import dev.orrery.engine.operation.Operation.QueryItems;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.sql.plan.PlanFeature;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Queries that come without a partition key, a range or a plan. */
class RawQueriesTest {
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    private static final int ONE_RANGE = 400;
    private static final int SEVERAL_RANGES = 12_000;
    private static final String GROUPS_IN_ORDER = "SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v ORDER BY c.v";

    private static final List<String> PLANNED = List.of(
            "SELECT * FROM c ORDER BY c.v",
            "SELECT VALUE COUNT(1) FROM c",
            "SELECT MAX(c.v) AS most FROM c",
            "SELECT DISTINCT c.v FROM c",
            "SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v",
            "SELECT TOP 1 * FROM c",
            "SELECT * FROM c OFFSET 0 LIMIT 1",
            "SELECT TOP 1 * FROM c ORDER BY VectorDistance(c.vector, [1, 2])",
            "SELECT TOP 1 * FROM c ORDER BY RANK FullTextScore(c.text, 'a')",
            "SELECT * FROM c WHERE c.pk IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') ORDER BY c.v");

    private static final List<String> PLAIN = List.of(
            "SELECT * FROM c",
            "SELECT VALUE c.v FROM c WHERE c.v > 1",
            "SELECT VALUE v FROM c JOIN v IN c.list",
            "SELECT VALUE 1",
            "SELECT c.id FROM (SELECT * FROM r) c",
            "SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'a'",
            "SELECT * FROM c WHERE c.pk = 'a' ORDER BY c.v");

    @Test
    void whatNeedsAPlanOverSeveralRangesIsRefusedWithIt() {
        try (var database = TestDatabase.withContainer(DEFINITION, SEVERAL_RANGES)) {
            for (var query : PLANNED) {
                assertThat(raw(database, query)).as(query).isInstanceOf(Answer.Refused.class);
                var refusal = ((Answer.Refused) raw(database, query)).failure();
                assertThat(refusal).as(query).isInstanceOf(Failure.CrossPartitionQuery.class);
                assertThat(((Failure.CrossPartitionQuery) refusal).plan()).isEqualTo(plan(database, query));
            }
        }
    }

    @Test
    void itIsAnsweredOverOneRangeAndWhenTheServerIsToPutItTogether() {
        try (var one = TestDatabase.withContainer(DEFINITION, ONE_RANGE);
                var several = TestDatabase.withContainer(DEFINITION, SEVERAL_RANGES)) {
            for (var query : PLANNED) {
                assertThat(raw(one, query)).as(query).isInstanceOf(Answer.Feed.class);
                assertThat(raw(several, query, QueryWish.WHOLE_RESULT))
                        .as(query)
                        .isInstanceOf(Answer.Feed.class);
            }
        }
    }

    @Test
    void whatNeedsNoPlanIsAnswered() {
        try (var database = TestDatabase.withContainer(DEFINITION, SEVERAL_RANGES)) {
            for (var query : PLAIN) {
                assertThat(raw(database, query)).as(query).isInstanceOf(Answer.Feed.class);
            }
        }
    }

    @Test
    void groupsInOrderAreForTheServerAlone() {
        try (var database = TestDatabase.withContainer(DEFINITION, SEVERAL_RANGES)) {
            assertThat(raw(database, GROUPS_IN_ORDER))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.failure()).isInstanceOf(Failure.BadRequest.class));
            assertThat(raw(database, GROUPS_IN_ORDER, QueryWish.WHOLE_RESULT)).isInstanceOf(Answer.Feed.class);
        }
    }

    private static Answer raw(TestDatabase database, String query, QueryWish... wishes) {
        var text = TestDatabase.queryText(query, Map.of());
        return database.execute(new QueryItems(CONTAINER, Scope.ALL, text, Page.FIRST, Set.of(wishes)))
                .answer();
    }

    private static String plan(TestDatabase database, String query) {
        var features =
                Arrays.stream(PlanFeature.values()).map(PlanFeature::wireName).toList();
        var text = TestDatabase.queryText(query, Map.of());
        var answer = database.execute(new PlanQuery(CONTAINER, Optional.empty(), text, features))
                .answer();
        return new String(((Answer.Plan) answer).json(), StandardCharsets.UTF_8);
    }
}
