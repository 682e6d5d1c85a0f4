package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that their writers want out of the index: whoever chooses or sorts does not get them, by whichever way. */
class UnindexedItemsTest {
    private static final String START = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT VALUE c.id FROM c                                                     | SCAN  | seen hidden
        SELECT VALUE c.id FROM c JOIN t IN c.tags                                    | SCAN  | seen hidden
        SELECT DISTINCT VALUE c.id FROM c                                            | SCAN  | seen hidden
        SELECT VALUE c.id FROM c WHERE c.v = 1                                       | INDEX | seen
        SELECT VALUE c.id FROM c WHERE c.v + 0 = 1                                   | SCAN  | seen
        SELECT VALUE c.id FROM c ORDER BY c.v                                        | INDEX | seen
        SELECT VALUE c.id FROM c ORDER BY c.nothing                                  | INDEX | seen
        SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.nothing)                     | INDEX | seen
        SELECT VALUE c.id FROM c WHERE c.pk = 'p' AND c.id IN ('seen', 'hidden')     | ITEMS | seen
        SELECT VALUE c.id FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t = 'a') | INDEX | seen
        SELECT VALUE x.id FROM (SELECT VALUE c FROM c WHERE c.v = 1) x               | INDEX | seen
        """)
    void onlyQueriesThatTakeItemsAsTheyComeGiveThem(String query, Access access, String ids) {
        try (var database = TestDatabase.withContainer(START + "}", 400)) {
            create(database, "seen", IndexingDirective.DEFAULT);
            create(database, "hidden", IndexingDirective.EXCLUDE);

            assertThat(ids(database, query)).containsExactlyInAnyOrder(ids.split(" "));
            var metrics = database.page(TestDatabase.queryText(query, Map.of()), Scope.ALL, Page.FIRST)
                    .facts()
                    .queryMetrics()
                    .orElseThrow();
            assertThat(metrics.explanation().orElseThrow().access()).isEqualTo(access);
            assertThat(TestDatabase.text(TestDatabase.json(database.readItem("p", "hidden")), "id"))
                    .isEqualTo("hidden");
            assertThat(TestDatabase.rows(
                            database.execute(new Operation.ListItems(TestDatabase.CONTAINER, Scope.ALL, Page.FIRST))))
                    .hasSize(2);
        }
    }

    @Test
    void aPolicyThatIsNotAutomaticLeavesOutWhatIsNotAskedFor() {
        try (var database = TestDatabase.withContainer(START + ",\"indexingPolicy\":{\"automatic\":false}}", 400)) {
            create(database, "hidden", IndexingDirective.DEFAULT);
            create(database, "seen", IndexingDirective.INCLUDE);

            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).containsExactly("seen");
            assertThat(ids(database, "SELECT VALUE c.id FROM c")).containsExactlyInAnyOrder("seen", "hidden");
        }
    }

    @Test
    void theLastWriteDecides() {
        try (var database = TestDatabase.withContainer()) {
            create(database, "i", IndexingDirective.EXCLUDE);
            database.upsertItem("p", item("i"));
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).containsExactly("i");

            var patch = JsonPatch.parse(JsonReader.parse("[{\"op\":\"set\",\"path\":\"/w\",\"value\":2}]"));
            database.write("p", new ItemWrite.Patch("i", patch, Precondition.NONE), IndexingDirective.EXCLUDE);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).isEmpty();

            database.write(
                    "p",
                    new ItemWrite.Replace("i", TestDatabase.bytes(item("i")), Precondition.NONE),
                    IndexingDirective.INCLUDE);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).containsExactly("i");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchSaysItOfEachOfItsWrites(boolean atomic) {
        try (var database = TestDatabase.withContainer()) {
            var writes = List.of(
                    batched("seen", IndexingDirective.DEFAULT, atomic),
                    batched("hidden", IndexingDirective.EXCLUDE, atomic));
            var scope = new Scope(Optional.empty(), Optional.of(TestDatabase.key("p")), Optional.empty());
            var outcome = database.execute(new Operation.Batch(TestDatabase.CONTAINER, scope, writes, atomic, false));

            assertThat(outcome.answer()).isInstanceOf(Answer.Batch.class);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).containsExactly("seen");
            assertThat(ids(database, "SELECT VALUE c.id FROM c")).hasSize(2);
        }
    }

    @Test
    void whereNothingIsIndexedNothingIsLeftOut() {
        try (var database =
                TestDatabase.withContainer(START + ",\"indexingPolicy\":{\"indexingMode\":\"none\"}}", 400)) {
            create(database, "one", IndexingDirective.DEFAULT);
            create(database, "two", IndexingDirective.EXCLUDE);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 1")).containsExactlyInAnyOrder("one", "two");
        }
    }

    private static BatchItem batched(String id, IndexingDirective indexing, boolean atomic) {
        return new BatchItem(
                new BatchAction.Write(new ItemWrite.Create(TestDatabase.bytes(item(id)), Precondition.NONE), indexing),
                atomic ? Optional.empty() : Optional.of(TestDatabase.key("p")),
                false);
    }

    private static void create(TestDatabase database, String id, IndexingDirective indexing) {
        var outcome =
                database.write("p", new ItemWrite.Create(TestDatabase.bytes(item(id)), Precondition.NONE), indexing);
        assertThat(outcome.answer()).isInstanceOf(Answer.Resource.class);
    }

    private static String item(String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"p\",\"v\":1,\"tags\":[\"a\"]}";
    }

    private static List<String> ids(TestDatabase database, String query) {
        return database.query(query, Scope.ALL, 1).stream()
                .map(row -> ((Str) row).value())
                .toList();
    }
}
