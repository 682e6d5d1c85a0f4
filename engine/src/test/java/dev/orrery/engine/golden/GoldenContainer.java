package dev.orrery.engine.golden;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.golden.Transcript.Statement;
import dev.orrery.sql.run.QueryInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The container of a database with just the items that the statement in hand sees. */
final class GoldenContainer {
    /** No item has this path: all are in one logical partition, in the order of their ids. */
    static final String ONE_PARTITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/no/such/path\"],\"kind\":\"Hash\",\"version\":2}}";

    /** Each item has a logical partition of its own, somewhere in the container. */
    static final String PARTITION_PER_ITEM =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}";

    private final TestDatabase database;
    private final boolean partitioned;
    private final List<JsonValue> written = new ArrayList<>();
    private Obj policies = Obj.EMPTY;

    GoldenContainer(TestDatabase database) {
        this.database = database;
        this.partitioned = database.ranges().size() > 1;
        database.setTime(GoldenCorpus.NOW);
    }

    TestDatabase database() {
        return database;
    }

    List<JsonValue> rows(Statement statement, int pageSize, Consumer<String> betweenPages) {
        hold(statement);
        return database.query(text(statement), Scope.ALL, pageSize, betweenPages);
    }

    static QueryText text(Statement statement) {
        return TestDatabase.queryText(statement.text(), statement.parameters());
    }

    /** The rows that the language alone gives for the items as they are stored here, in the order of the container. */
    List<JsonValue> rowsOfTheLanguage(Statement statement) {
        hold(statement);
        var query = statement.query();
        var inputs = GoldenCorpus.inputs(statement);
        return run(
                query,
                query.statistics()
                        .map(statistics ->
                                inputs.withStatistics(run(statistics, inputs).getFirst()))
                        .orElse(inputs));
    }

    private List<JsonValue> run(Query query, QueryInputs inputs) {
        var rows = new ArrayList<JsonValue>();
        var run = query.run(inputs, rows::add);
        for (var item : stored()) {
            if (run.wantsItems()) {
                run.add(item, Rid.parse(TestDatabase.text(item, "_rid")).documentNumber());
            }
        }
        run.finish();
        return rows;
    }

    private List<Obj> stored() {
        return TestDatabase.rows(
                        database.execute(new Operation.ListItems(TestDatabase.CONTAINER, Scope.ALL, Page.FIRST)))
                .stream()
                .map(Obj.class::cast)
                .toList();
    }

    /** Most statements see what the one before them saw, or a little more. */
    void hold(Statement statement) {
        if (!policies.equals(statement.policies())) {
            policies = statement.policies();
            database.replaceContainer(JsonWriter.text(Obj.builder()
                    .putAll((Obj) JsonReader.parse(partitioned ? PARTITION_PER_ITEM : ONE_PARTITION))
                    .putAll(policies)
                    .build()));
        }
        hold(statement.items());
    }

    private void hold(List<JsonValue> items) {
        boolean more = written.size() <= items.size() && written.equals(items.subList(0, written.size()));
        if (!more) {
            stored().forEach(this::delete);
            written.clear();
        }
        for (var item : items.subList(written.size(), items.size())) {
            write((Obj) item, new ItemWrite.Create(JsonWriter.bytes(item), Precondition.NONE));
            written.add(item);
        }
    }

    private void delete(Obj item) {
        write(item, new ItemWrite.Delete(TestDatabase.text(item, "id"), Precondition.NONE));
    }

    private void write(Obj item, ItemWrite write) {
        var key = new PartitionKey(List.of(partitioned ? item.member("id") : JsonValue.UNDEFINED));
        var outcome = database.execute(
                new Operation.WriteItem(TestDatabase.CONTAINER, Optional.of(key), write, Triggers.NONE));
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new AssertionError(failure + " for " + item);
        }
    }
}
