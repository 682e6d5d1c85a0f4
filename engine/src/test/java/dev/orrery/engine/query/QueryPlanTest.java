package dev.orrery.engine.query;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.PlanQuery;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueryPlanTest {
    private static final String SORTED = "SELECT VALUE c.v FROM c ORDER BY c.v";
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";

    @Test
    void oneRangeIsPlannedLikeSeveral() {
        try (var one = TestDatabase.withContainer(DEFINITION, 400);
                var several = TestDatabase.withContainer(DEFINITION, 12_000)) {
            assertThat(plan(one, Optional.empty())).isEqualTo(plan(several, Optional.empty()));
        }
    }

    @Test
    void whatCannotBeSplitIsPlannedForOneKeyOrOneRangeOnly() {
        var grouped = "SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v ORDER BY c.v";
        try (var one = TestDatabase.withContainer(DEFINITION, 400);
                var several = TestDatabase.withContainer(DEFINITION, 12_000)) {
            var asItIs = info(plan(one, grouped, Optional.empty()));
            assertThat(asItIs.member("rewrittenQuery")).isEqualTo(new Str(""));
            assertThat(info(plan(several, grouped, Optional.of(TestDatabase.key("x")))))
                    .isEqualTo(asItIs);
            assertThat(answer(several, grouped, Optional.empty())).isInstanceOf(Answer.Refused.class);
        }
    }

    @Test
    void severalRangesAreAskedInAFormThatTheClientCanPutTogether() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            assertThat(database.ranges()).hasSize(2);
            var info = info(plan(database, Optional.empty()));
            assertThat(info.member("orderBy")).isEqualTo(JsonValue.strings(List.of("Ascending")));
            assertThat(((Str) info.member("rewrittenQuery")).value()).startsWith("SELECT c._rid, ");
        }
    }

    @Test
    void aPartitionKeyIsInOneRange() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            var plan = plan(database, Optional.of(TestDatabase.key("x")));
            var range = (Obj) ((Arr) plan.member("queryRanges")).at(0);
            assertThat(range.member("min")).isEqualTo(range.member("max"));
        }
    }

    @Test
    void aKeyInTheFilterIsAsGoodAsOneBesideTheQuery() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            var given = ranges(plan(database, Optional.of(TestDatabase.key("x"))));
            assertThat(ranges(database, "SELECT * FROM c WHERE c.pk = 'x' AND c.v > 1"))
                    .isEqualTo(given);
            assertThat(ranges(database, "SELECT VALUE COUNT(1) FROM c WHERE c.pk IN ('x', 'x')"))
                    .isEqualTo(given);
        }
    }

    @Test
    void severalKeysAreSeveralRangesInOrder() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            var ranges = ranges(database, "SELECT * FROM c WHERE c.pk IN ('a', 'b', 'c') OR c.pk = 'd'");
            assertThat(ranges).hasSize(4).allMatch(range -> range.member("min").equals(range.member("max")));
            assertThat(ranges)
                    .extracting(range -> TestDatabase.text(range, "min"))
                    .isSorted();
        }
    }

    @Test
    void whatLeavesTheKeyOpenAsksEveryRange() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            for (var filter : List.of("c.v = 1", "c.pk > 'x'", "c.pk = 'x' OR c.v = 1", "NOT c.pk = 'x'")) {
                assertThat(ranges(database, "SELECT * FROM c WHERE " + filter))
                        .as(filter)
                        .singleElement()
                        .satisfies(range -> assertThat(range.member("max")).isEqualTo(new Str("FF")));
            }
            var many = IntStream.range(0, 1_000).mapToObj(i -> "'" + i + "'").collect(Collectors.joining(","));
            assertThat(ranges(database, "SELECT * FROM c WHERE c.pk IN (" + many + ")"))
                    .hasSize(1);
        }
    }

    @Test
    void whatNothingCanSatisfyAsksOneRange() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            assertThat(ranges(database, "SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'x' AND c.pk = 'y'"))
                    .singleElement()
                    .satisfies(range -> assertThat(range.member("min")).isEqualTo(range.member("max")));
        }
    }

    @Test
    void howAHierarchicalKeyBeginsTellsWhereItsPartitionsLie() {
        var definition = """
            {"id":"c","partitionKey":{"paths":["/tenant","/user"],"kind":"MultiHash","version":2}}\
            """;
        try (var database = TestDatabase.withContainer(definition, 12_000)) {
            var given = ranges(plan(database, Optional.of(TestDatabase.key("x"))));
            assertThat(ranges(database, "SELECT * FROM c WHERE c.tenant = 'x' AND c.v > 1"))
                    .isEqualTo(given);
            assertThat(ranges(database, "SELECT * FROM c WHERE c.tenant = 'x' AND (c.user = 'u' OR c.v = 2)"))
                    .as("the first level is known either way")
                    .isEqualTo(given);
            assertThat(ranges(database, "SELECT * FROM c WHERE c.tenant = 'x' AND c.user = 'u'"))
                    .singleElement()
                    .satisfies(range -> assertThat(range.member("min")).isEqualTo(range.member("max")));
            assertThat(ranges(database, "SELECT * FROM c WHERE c.user = 'u'"))
                    .singleElement()
                    .satisfies(range -> assertThat(range.member("max")).isEqualTo(new Str("FF")));
        }
    }

    private static List<Obj> ranges(TestDatabase database, String query) {
        return ranges(plan(database, query, Optional.empty()));
    }

    private static List<Obj> ranges(Obj plan) {
        return ((Arr) plan.member("queryRanges"))
                .items().stream().map(Obj.class::cast).toList();
    }

    private static Obj plan(TestDatabase database, Optional<PartitionKey> partition) {
        return plan(database, SORTED, partition);
    }

    private static Obj plan(TestDatabase database, String query, Optional<PartitionKey> partition) {
        return (Obj) JsonReader.parse(((Answer.Plan) answer(database, query, partition)).json());
    }

    private static Answer answer(TestDatabase database, String query, Optional<PartitionKey> partition) {
        var body =
                new QueryText(JsonWriter.bytes(Obj.builder().put("query", query).build()));
        return database.execute(new PlanQuery(CONTAINER, partition, body, List.of("OrderBy", "Aggregate")))
                .answer();
    }

    private static Obj info(Obj plan) {
        return (Obj) plan.member("queryInfo");
    }
}
