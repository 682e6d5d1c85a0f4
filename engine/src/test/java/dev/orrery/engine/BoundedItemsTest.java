package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Await;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is computed of one item in a lane, for an index or for a view has bounds, whatever the item is. */
class BoundedItemsTest {
    private static final Address VIEW = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "v");
    private static final int MANY = 2_000;
    private static final String MADE =
            "ARRAY(SELECT VALUE ARRAY(SELECT VALUE ARRAY(SELECT VALUE c.arr FROM x IN c.arr) FROM y IN c.arr) FROM z IN"
                    + " c.arr)";
    private static final String PLAIN = definition("[]");
    private static final String COMPUTED =
            definition("[{\"name\":\"made\",\"query\":\"SELECT VALUE " + MADE + " FROM c\"}]");

    private static String definition(String computed) {
        return "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
                + "\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"}]},\"computedProperties\":" + computed + "}";
    }

    private static String item(String id, int numbers) {
        return "{\"id\":\"" + id + "\",\"pk\":\"p\",\"v\":7,\"s\":\"" + "a".repeat(numbers * 100) + "\",\"t\":\""
                + "a".repeat(numbers * 10) + "b\",\"arr\":"
                + IntStream.range(0, numbers).boxed().map(String::valueOf).collect(Collectors.joining(",", "[", "]"))
                + "}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FROM c WHERE ALL(SELECT VALUE true FROM a IN c.arr JOIN b IN c.arr JOIN d IN c.arr WHERE false)",
                "FROM c WHERE EXISTS(SELECT VALUE 1 FROM a IN c.arr JOIN b IN c.arr JOIN d IN c.arr JOIN e IN c.none)",
                "FROM c WHERE EXISTS(SELECT VALUE 1 FROM a IN c.arr JOIN b IN c.arr JOIN d IN c.arr WHERE a > 1e9)",
                "FROM c WHERE ARRAY_LENGTH(" + MADE + ") = 1",
                "FROM c WHERE ARRAY_LENGTH(ARRAY(SELECT VALUE c.s || ToString(x) FROM x IN c.arr)) = 1",
                "FROM c WHERE CONTAINS(c.s, c.t)",
                "FROM c WHERE c.s LIKE CONCAT('%', c.t)",
                "FROM c WHERE REGEXMATCH(c.s, '(((a{20}){20}){20})b')"
            })
    void aConditionThatTakesTooMuchIsRefusedAndTheNextWriteIsNot(String condition) {
        try (var database = TestDatabase.withContainer(PLAIN, 400)) {
            database.createItem("p", item("i", MANY));
            assertThat(failure(patch(database, condition)))
                    .isInstanceOfSatisfying(
                            Failure.BadRequest.class,
                            refused -> assertThat(refused.message()).contains("computed of a single item"));
            assertThat(json(patch(database, "FROM c WHERE c.v = 7 AND ARRAY_CONTAINS(c.arr, 1999)"))
                            .member("v"))
                    .isEqualTo(new Num(8));
        }
    }

    @Test
    void anItemWhoseComputedPropertyTakesTooMuchIsRefused() {
        try (var database = TestDatabase.withContainer(COMPUTED, 400)) {
            assertThat(failure(database.createItem("p", item("large", MANY)))).isInstanceOf(Failure.BadRequest.class);
            assertThat(json(database.createItem("p", item("small", 3))).member("id"))
                    .isEqualTo(new Str("small"));
            assertThat(failure(database.upsertItem("p", item("small", MANY)))).isInstanceOf(Failure.BadRequest.class);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.made)"))
                    .containsExactly(new Str("small"));
        }
    }

    @Test
    void itemsThatWereThereBeforeAComputedPropertyStayReadable() {
        try (var database = TestDatabase.withContainer(PLAIN, 400)) {
            database.createItem("p", item("large", MANY));
            database.createItem("p", item("small", 3));
            database.replaceContainer(COMPUTED);
            awaitIndexed(database);

            assertThat(json(database.readItem("p", "large")).member("v")).isEqualTo(new Num(7));
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 7 ORDER BY c.id"))
                    .containsExactly(new Str("large"), new Str("small"));
            assertThat(failure(patch(database, "large", "FROM c WHERE true"))).isInstanceOf(Failure.BadRequest.class);
            database.upsertItem("p", item("large", 3));
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.made) ORDER BY c.id"))
                    .containsExactly(new Str("large"), new Str("small"));
            assertThat(database.deleteItem("p", "large").answer()).isInstanceOf(Answer.Deleted.class);
        }
    }

    @Test
    void aViewGoesOnBehindAnItemThatTakesTooMuch() {
        try (var database = TestDatabase.withContainer(PLAIN, 400)) {
            database.create(
                    ResourceKind.CONTAINER,
                    TestDatabase.DATABASE,
                    "{\"id\":\"v\",\"partitionKey\":{\"paths\":[\"/v\"]},\"materializedViewDefinition\":"
                            + "{\"sourceCollectionId\":\"c\",\"definition\":\"SELECT c.v, " + MADE
                            + " AS made FROM c\"}}",
                    Optional.of(new Throughput.Manual(400)));
            database.createItem("p", item("large", MANY));
            database.createItem("p", item("small", 3));
            Await.value("what is in the view", () -> inView(database), List.of(new Str("small")));
            database.upsertItem("p", item("large", 2));
            Await.value("how much is in the view", () -> inView(database).size(), 2);
            database.upsertItem("p", item("large", MANY));
            Await.value("what is in the view", () -> inView(database), List.of(new Str("small")));
        }
    }

    private static List<JsonValue> inView(TestDatabase database) {
        return TestDatabase.rows(database.execute(
                        new Operation.ListItems(VIEW, Scope.ALL, new Page(Optional.of(100), Optional.empty()))))
                .stream()
                .map(item -> ((Obj) item).member("id"))
                .toList();
    }

    private static Outcome patch(TestDatabase database, String condition) {
        return patch(database, "i", condition);
    }

    private static Outcome patch(TestDatabase database, String id, String condition) {
        var body = Obj.builder()
                .put("condition", condition)
                .put("operations", JsonReader.parse("[{\"op\":\"incr\",\"path\":\"/v\",\"value\":1}]"))
                .build();
        return database.write("p", new ItemWrite.Patch(id, JsonPatch.parse(body), Precondition.NONE));
    }

    private static Failure failure(Outcome outcome) {
        return outcome.answer() instanceof Answer.Refused(var failure) ? failure : null;
    }

    private static List<JsonValue> ids(TestDatabase database, String query) {
        return database.query(query, Scope.ALL, 100);
    }

    private static void awaitIndexed(TestDatabase database) {
        Await.value(
                "percent of the items that are indexed",
                () -> database.execute(new Operation.ReadResource(TestDatabase.CONTAINER, Precondition.NONE, true, 0))
                        .facts()
                        .indexProgressPercent()
                        .orElse(-1),
                100);
    }
}
