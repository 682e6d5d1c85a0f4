package dev.orrery.engine;

import dev.orrery.engine.operation.Operation.PlanQuery;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.plan.SdkClient;
import dev.orrery.sql.plan.SdkQueryPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The way of SDKs that ask for a plan, send its query to each range and put the rows together. */
public final class SdkRoad {
    private static final int PAGE_SIZE = 1_000;

    /** The database gives items these, whatever they came with. */
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("_rid", "_self", "_etag", "_attachments", "_ts");

    /** What no SDK can put together from the rows of several partitions, by the words of its refusal, and why. */
    private static final Map<String, String> REFUSALS_OF_PLANS = Map.of(
            "Compositions of aggregates", "SDKs put together aggregates that stand alone, not what is made of them.",
            "ORDER BY together with GROUP BY", "No SDK sorts groups.",
            "depend on more than one item", "No SDK runs a query over the rows of another one.",
            "from 0 to 2147483647", "SDKs read counts as numbers of 32 bits.");

    private SdkRoad() {}

    public static boolean isRefusedByPlansOnly(String refusal) {
        return refusal.startsWith("! ") && REFUSALS_OF_PLANS.keySet().stream().anyMatch(refusal::contains);
    }

    /** Whether a refusal is right for a query over several partitions, though one partition answers it. */
    public static boolean isRefusedOverPartitions(String text, String refusal) {
        return refusal.contains(SdkQueryPlan.COMPOSED_AGGREGATES)
                && Query.of(text).composesAggregates();
    }

    public static List<JsonValue> rows(TestDatabase database, String text, Map<String, JsonValue> parameters) {
        var outcome = database.execute(new PlanQuery(
                TestDatabase.CONTAINER,
                Optional.empty(),
                TestDatabase.queryText(text, parameters),
                Arrays.stream(PlanFeature.values()).map(PlanFeature::wireName).toList()));
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new FailureException(failure);
        }
        var plan = (Obj) JsonReader.parse(((Answer.Plan) outcome.answer()).json());
        return SdkClient.rows(plan, text, sent -> ask(database, plan, TestDatabase.queryText(sent, parameters)));
    }

    private static List<List<JsonValue>> ask(TestDatabase database, Obj plan, QueryText sent) {
        var wanted = ((Arr) plan.member("queryRanges")).items();
        var partitions = new ArrayList<List<JsonValue>>();
        for (var partition : database.ranges()) {
            if (wanted.stream().anyMatch(range -> overlaps((Obj) range, (Obj) partition))) {
                var id = TestDatabase.text((Obj) partition, "id");
                var scope = new Scope(Optional.of(id), Optional.empty(), Optional.empty());
                partitions.add(database.query(sent, scope, PAGE_SIZE, _ -> {}));
            }
        }
        return partitions;
    }

    /** As SDKs compare them: as text. */
    private static boolean overlaps(Obj wanted, Obj partition) {
        var min = TestDatabase.text(wanted, "min");
        var max = TestDatabase.text(wanted, "max");
        boolean reaches = TestDatabase.text(partition, "minInclusive").compareTo(max)
                < (wanted.member("isMaxInclusive").equals(JsonValue.Bool.TRUE) ? 1 : 0);
        return reaches && min.compareTo(TestDatabase.text(partition, "maxExclusive")) < 0;
    }

    public static JsonValue withoutSystemProperties(JsonValue value) {
        return switch (value) {
            case Arr(var items) ->
                new Arr(items.stream().map(SdkRoad::withoutSystemProperties).toList());
            case Obj object -> {
                var rest = Obj.builder();
                object.members().forEach((name, member) -> {
                    if (!SYSTEM_PROPERTIES.contains(name)) {
                        rest.put(name, withoutSystemProperties(member));
                    }
                });
                yield rest.build();
            }
            case JsonValue other -> other;
        };
    }
}
