package dev.orrery.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.model.Failure;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.store.Await;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers that follow others. */
class ViewsTest {
    private static final Address VIEW = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "v");
    private static final String SOURCE_DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    private static final String BY_COLOR = "SELECT c.color, c.n FROM c";

    private TestDatabase database = TestDatabase.withContainer();

    @AfterEach
    void close() {
        database.close();
    }

    private void use(TestDatabase other) {
        database.close();
        database = other;
    }

    private Outcome createView(String query) {
        return database.create(ResourceKind.CONTAINER, TestDatabase.DATABASE, definition("v", "c", query), manual(400));
    }

    private static Optional<Throughput> manual(int requestUnits) {
        return Optional.of(new Throughput.Manual(requestUnits));
    }

    private static String definition(String id, String source, String query) {
        return "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/color\"]},"
                + "\"materializedViewDefinition\":{\"sourceCollectionId\":\"" + source + "\",\"definition\":\"" + query
                + "\"}}";
    }

    private void put(String partition, String id, String color, int n) {
        database.upsertItem(
                partition,
                "{\"id\":\"" + id + "\",\"pk\":\"" + partition + "\",\"color\":\"" + color + "\",\"n\":" + n + "}");
    }

    /** The items of the view in short, in the order of their texts. */
    private List<String> view() {
        return items(VIEW).stream().map(ViewsTest::shortened).sorted().toList();
    }

    private List<JsonValue> items(Address container) {
        var rows = new ArrayList<JsonValue>();
        Optional<String> continuation = Optional.empty();
        do {
            var outcome = database.execute(
                    new Operation.ListItems(container, Scope.ALL, new Page(Optional.of(500), continuation)));
            rows.addAll(TestDatabase.rows(outcome));
            continuation = outcome.facts().continuation();
        } while (continuation.isPresent());
        return rows;
    }

    private static String shortened(JsonValue item) {
        var members = Obj.builder();
        ((Obj) item).members().forEach((name, value) -> {
            if (!SystemProperties.isSystemName(name)) {
                members.put(name, value);
            }
        });
        return members.build().toString().replace("\"", "");
    }

    private void awaitView(String... items) {
        await(this::view, List.of(items));
    }

    private static <T> void await(Supplier<T> actual, T expected) {
        Await.value("what follows", actual, expected);
    }

    // ---- following ----

    @Test
    void aViewHasWhatItsQuerySelects() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        put("q", "b", "blue", 2);

        awaitView("{id:a,color:red,n:1}", "{id:b,color:blue,n:2}");
    }

    @Test
    void whatTheServerWritesIsNobodysRequest() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        put("q", "b", "blue", 2);
        awaitView("{id:a,color:red,n:1}", "{id:b,color:blue,n:2}");

        assertThat(database.advice().requests()).isEqualTo(2);
    }

    @Test
    void aViewBeginsWithWhatIsThere() {
        IntStream.range(0, 1000).forEach(i -> put("p" + i % 7, "i" + i, "c" + i % 5, i));
        createView(BY_COLOR);

        await(() -> view().size(), 1000);
    }

    @Test
    void changesAndDeletesOfTheSourceComeIntoTheView() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        put("p", "b", "red", 1);
        awaitView("{id:a,color:red,n:1}", "{id:b,color:red,n:1}");

        put("p", "a", "red", 2);
        database.deleteItem("p", "b");

        awaitView("{id:a,color:red,n:2}");
    }

    @Test
    void anItemMovesWithItsKey() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        awaitView("{id:a,color:red,n:1}");

        put("p", "a", "blue", 1);

        awaitView("{id:a,color:blue,n:1}");
    }

    @Test
    void aFilterLeavesItemsOut() {
        createView("SELECT * FROM c WHERE c.n > 10");
        put("p", "a", "red", 5);
        put("p", "b", "red", 15);
        awaitView("{id:b,pk:p,color:red,n:15}");

        put("p", "a", "red", 20);
        put("p", "b", "red", 6);

        awaitView("{id:a,pk:p,color:red,n:20}");
    }

    @Test
    void itemsOfTheSameIdFromDifferentPartitionsAreBothThere() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        await(() -> view().size(), 1);
        put("q", "a", "red", 2);
        await(() -> view().size(), 2);
        put("q", "a", "red", 3);

        await(() -> view().stream().filter(item -> item.contains("n:3")).count(), 1L);
        assertThat(view())
                .hasSize(2)
                .anyMatch(item -> item.startsWith("{id:a,"))
                .anyMatch(item -> item.startsWith("{id:a~"));

        database.deleteItem("p", "a");
        await(() -> view().size(), 1);
        database.deleteItem("q", "a");
        await(() -> view().size(), 0);
    }

    @Test
    void whatExpiresInTheSourceGoesFromTheView() {
        use(TestDatabase.withContainer(
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":100}", 400));
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        awaitView("{id:a,color:red,n:1}");

        database.passSeconds(200);

        awaitView();
    }

    @Test
    void anItemThatTheViewCannotHaveDoesNotHoldUpTheOthers() {
        createView("SELECT c.color, c.ttl FROM c");
        database.upsertItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"color\":{\"not\":\"a key\"}}");
        put("p", "b", "red", 1);

        await(() -> view().stream().anyMatch(item -> item.startsWith("{id:b")), true);
    }

    @Test
    void changesThatTheViewDoesNotSelectChangeNothingInIt() {
        createView("SELECT c.color FROM c");
        put("p", "a", "red", 1);
        awaitView("{id:a,color:red}");

        IntStream.range(2, 20).forEach(n -> put("p", "a", "red", n));
        put("p", "b", "red", 1);
        await(() -> view().size(), 2);

        assertThat(versionsInView()).isEqualTo(2);
    }

    private long versionsInView() {
        var wanted = new ChangesWanted(ChangeMode.ALL_VERSIONS, Optional.of("\"0\""), Optional.empty(), true, false);
        var outcome = database.execute(new Operation.ReadChanges(VIEW, Scope.ALL, wanted, Optional.of(100_000)));
        return TestDatabase.rows(outcome).size();
    }

    // ---- splits, restarts, faults ----

    @Test
    void aViewOutlivesSplitsOfItsSourceAndOfItself() {
        createView(BY_COLOR);
        IntStream.range(0, 300).forEach(i -> put("p" + i % 20, "i" + i, "c" + i % 9, i));
        database.setThroughput(20_000);
        IntStream.range(100, 400).forEach(i -> put("p" + i % 20, "i" + i, "d" + i % 9, i));
        database.setThroughput(VIEW, 20_000);
        IntStream.range(200, 500).forEach(i -> put("p" + i % 20, "i" + i, "e" + i % 9, i));
        IntStream.range(0, 50).forEach(i -> database.deleteItem("p" + i % 20, "i" + i));

        await(this::view, expected());
    }

    @Test
    void aRestartLosesAndRepeatsNothing() {
        createView("SELECT c.color FROM c");
        for (int round = 0; round < 10; round++) {
            int from = round * 30;
            IntStream.range(from, from + 30).forEach(i -> put("p" + i % 5, "i" + i, "c" + i % 4, i));
            database.reopen();
        }

        await(() -> view().size(), 300);
        assertThat(versionsInView()).isEqualTo(300);
    }

    /** The law: whatever fails on the way, in the end the view is what the query says of the source. */
    @Test
    void afterAnyHistoryOfFaultsTheViewIsThatOfItsSource() {
        var random = Seed.random();
        for (int round = 0; round < 15; round++) {
            var plan = FaultPlan.random(
                    random,
                    6,
                    new Fault.Fail(false),
                    new Fault.Fail(true),
                    new Fault.Unknown(true, 1),
                    new Fault.Unknown(false, 0),
                    new Fault.Fence());
            FaultPlan ofItems = (partition, commit) ->
                    partition.equals(new PartitionId(0)) ? new Fault.None() : plan.next(partition, commit);
            use(TestDatabase.withContainer(new FaultyStore(new MemoryStore(), ofItems), SOURCE_DEFINITION, 400));
            createView("SELECT c.color, c.n FROM c WHERE c.n % 3 != 0");
            for (int i = 0; i < 120; i++) {
                var partition = "p" + random.nextInt(3);
                var id = "i" + random.nextInt(6);
                if (random.nextInt(5) == 0) {
                    database.deleteItem(partition, id);
                } else {
                    put(partition, id, "c" + random.nextInt(3), random.nextInt(50));
                }
                if (random.nextInt(40) == 0) {
                    database.reopen();
                }
            }

            await(this::withoutIds, expectedWithoutIds());
        }
    }

    @Test
    void deletesWaitForAViewThatIsBehind() {
        var stuck = new AtomicReference<PartitionId>();
        FaultPlan plan =
                (partition, commit) -> partition.equals(stuck.get()) ? new Fault.Fail(false) : new Fault.None();
        use(TestDatabase.withContainer(new FaultyStore(new MemoryStore(), plan), SOURCE_DEFINITION, 400));
        var view = TestDatabase.json(createView(BY_COLOR));
        put("p", "a", "red", 1);
        awaitView("{id:a,color:red,n:1}");

        var rid = Rid.find(TestDatabase.text(view, "_rid")).orElseThrow();
        stuck.set(Partitions.id(rid.containerNumber(), 0));
        database.deleteItem("p", "a");
        database.passSeconds(10_000);
        put("p", "b", "red", 1);
        database.trimLogs();
        stuck.set(null);

        awaitView("{id:b,color:red,n:1}");
    }

    /** Ids of the same name may be told apart in either order. */
    private List<String> withoutIds() {
        return view().stream()
                .map(item -> item.substring(item.indexOf(',')))
                .sorted()
                .toList();
    }

    private List<String> expectedWithoutIds() {
        return expected().stream()
                .filter(item ->
                        !item.matches(".*n:(\\d*)}") || Integer.parseInt(item.replaceAll(".*n:(\\d*)}", "$1")) % 3 != 0)
                .map(item -> item.substring(item.indexOf(',')))
                .sorted()
                .toList();
    }

    private List<String> expected() {
        return items(TestDatabase.CONTAINER).stream()
                .map(item -> Obj.builder().putAll((Obj) item).remove("pk").build())
                .map(ViewsTest::shortened)
                .sorted()
                .toList();
    }

    // ---- rules ----

    @Test
    void aViewIsReadOnly() {
        createView(BY_COLOR);
        var write = new ItemWrite.Create(TestDatabase.bytes("{\"id\":\"x\",\"color\":\"red\"}"), Precondition.NONE);

        var outcome = database.execute(
                new Operation.WriteItem(VIEW, Optional.of(TestDatabase.key("red")), write, Triggers.NONE));

        assertThat(failure(outcome)).isInstanceOf(Failure.Forbidden.class);
        assertThat(failure(outcome).message()).contains("is a view of 'c'");
        var delete = new Operation.DeletePartition(VIEW, TestDatabase.key("red"));
        assertThat(failure(database.execute(delete))).isInstanceOf(Failure.Forbidden.class);
    }

    @Test
    void aSourceGoesAfterItsViews() {
        createView(BY_COLOR);
        put("p", "a", "red", 1);
        awaitView("{id:a,color:red,n:1}");

        var refused = database.execute(new Operation.DeleteResource(TestDatabase.CONTAINER, Precondition.NONE));
        assertThat(failure(refused).message()).contains("'v'").contains("first");

        database.execute(new Operation.DeleteResource(VIEW, Precondition.NONE));
        await(() -> database.rowsOf(KeySpace.VIEW_PLACES) + database.rowsOf(KeySpace.VIEW_PROGRESS), 0L);
        assertThat(database.execute(new Operation.DeleteResource(TestDatabase.CONTAINER, Precondition.NONE))
                        .answer())
                .isInstanceOf(Answer.Deleted.class);
    }

    @Test
    void aViewNeedsASourceThatIsNoView() {
        createView(BY_COLOR);

        assertThat(failure(create(definition("w", "v", BY_COLOR))).message()).contains("is a view itself");
        assertThat(failure(create(definition("w", "nowhere", BY_COLOR))).message())
                .contains("'nowhere'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.a FROM c",
                "SELECT COUNT(1) AS n FROM c",
                "SELECT c.a FROM c ORDER BY c.a",
                "SELECT TOP 5 c.a FROM c",
                "SELECT DISTINCT c.a FROM c",
                "SELECT t FROM c JOIN t IN c.tags",
                "SELECT RAND() AS r FROM c",
                "SELECT c.a FROM c WHERE c.t < GetCurrentTimestamp()",
                "SELECT udf.f(c) AS x FROM c",
                "SELECT c.a FROM c WHERE",
                "nonsense"
            })
    void aQueryThatGivesNoRowOrAnotherOneEachTimeIsRefused(String query) {
        assertThat(failure(createView(query)).message()).startsWith("The query that defines the view is wrong");
    }

    @Test
    void aViewHasNoUniqueKeys() {
        var definition = definition("w", "c", BY_COLOR)
                .replaceFirst("\\{", "{\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/n\"]}]},");

        assertThat(failure(create(definition)).message()).contains("unique keys");
    }

    @Test
    void aViewNamesItsItemsAsTheSourceDoes() {
        assertThat(failure(createView("SELECT c.email AS id FROM c")).message()).contains("id");
        assertThat(failure(createView("SELECT c.email AS _rid FROM c")).message())
                .contains("_rid");
        assertThat(createView("SELECT c.id, c.color FROM c").answer()).isInstanceOf(Answer.Resource.class);
    }

    @Test
    void theAnswerNamesTheSource() {
        var created = TestDatabase.json(createView(BY_COLOR));

        var definition = (Obj) created.member("materializedViewDefinition");
        assertThat(definition.member("sourceCollectionRid")).isInstanceOf(Str.class);
        assertThat(created.member("globalSecondaryIndexDefinition")).isEqualTo(definition);
    }

    private Outcome create(String definition) {
        return database.create(ResourceKind.CONTAINER, TestDatabase.DATABASE, definition, manual(400));
    }

    private static Failure failure(Outcome outcome) {
        return ((Answer.Refused) outcome.answer()).failure();
    }
}
