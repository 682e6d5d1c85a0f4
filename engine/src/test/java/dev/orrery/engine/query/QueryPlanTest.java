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
import org.junit.jupiter.api.Test;

class QueryPlanTest {
    private static final String SORTED = "SELECT VALUE c.v FROM c ORDER BY c.v";
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";

    @Test
    void oneRangeIsAskedTheQueryAsItIs() {
        try (var database = TestDatabase.withContainer(DEFINITION, 400)) {
            var info = info(plan(database, Optional.empty()));
            assertThat(info.member("rewrittenQuery")).isEqualTo(new Str(""));
            assertThat(info.member("orderBy")).isEqualTo(Arr.EMPTY);
            assertThat(info.member("hasSelectValue")).isEqualTo(JsonValue.Bool.TRUE);
        }
    }

    @Test
    void severalRangesAreAskedInAFormThatTheClientCanPutTogether() {
        try (var database = TestDatabase.withContainer(DEFINITION, 20_000)) {
            assertThat(database.ranges()).hasSize(2);
            var info = info(plan(database, Optional.empty()));
            assertThat(info.member("orderBy")).isEqualTo(JsonValue.strings(List.of("Ascending")));
            assertThat(((Str) info.member("rewrittenQuery")).value()).startsWith("SELECT c._rid, ");
        }
    }

    @Test
    void aPartitionKeyIsInOneRange() {
        try (var database = TestDatabase.withContainer(DEFINITION, 20_000)) {
            var plan = plan(database, Optional.of(TestDatabase.key("x")));
            var range = (Obj) ((Arr) plan.member("queryRanges")).at(0);
            assertThat(range.member("min")).isEqualTo(range.member("max"));
        }
    }

    private static Obj plan(TestDatabase database, Optional<PartitionKey> partition) {
        var body = new QueryText(
                JsonWriter.bytes(Obj.builder().put("query", SORTED).build()));
        var outcome = database.execute(new PlanQuery(CONTAINER, partition, body, List.of("OrderBy")));
        return (Obj) JsonReader.parse(((Answer.Plan) outcome.answer()).json());
    }

    private static Obj info(Obj plan) {
        return (Obj) plan.member("queryInfo");
    }
}
