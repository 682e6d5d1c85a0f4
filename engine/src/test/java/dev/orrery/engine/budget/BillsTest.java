package dev.orrery.engine.budget;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.queryText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The work that typical requests are billed for, compared with {@code bills.expected}; what each costs is the business of
 * the price lists. After a change run with {@code -Dgolden.update=true} and read the difference.
 */
class BillsTest {
    private static final Path EXPECTED = Path.of("src/test/resources/dev/orrery/engine/budget/bills.expected");
    private static final Scope IN_PARTITION = new Scope(Optional.empty(), Optional.of(key("p")), Optional.empty());

    private final List<String> bills = new ArrayList<>();
    private final List<Double> charges = new ArrayList<>();

    @Test
    void typicalRequestsAreBilledForWhatTheyDo() throws IOException {
        makeHistory();
        if (Boolean.getBoolean("golden.update")) {
            Files.write(EXPECTED, bills);
        }
        assertThat(bills).isEqualTo(Files.readAllLines(EXPECTED));
    }

    @Test
    void theSameHistoryHasTheSameBills() {
        makeHistory();
        var firstBills = List.copyOf(bills);
        var firstCharges = List.copyOf(charges);
        bills.clear();
        charges.clear();
        makeHistory();
        assertThat(bills).isEqualTo(firstBills);
        assertThat(charges).isEqualTo(firstCharges);
    }

    private void makeHistory() {
        try (var database = TestDatabase.withContainer()) {
            write(database);
            read(database);
            query(database);
            writeTogether(database);
            delete(database);
        }
    }

    private void write(TestDatabase database) {
        bill("create", database.createItem("p", item("1", 1, "")));
        bill("create with 1 KB of text", database.createItem("p", item("2", 2, "x".repeat(1_024))));
        bill(
                "create with 100 KB of text",
                database.createItem("q", "{\"id\":\"3\",\"pk\":\"q\",\"text\":\"%s\"}".formatted("x".repeat(102_400))));
        bill("create of what is there", database.createItem("p", item("1", 1, "")));
        bill(
                "create left out of the index",
                database.write(
                        "p",
                        new ItemWrite.Create(bytes(item("4", 4, "")), Precondition.NONE),
                        IndexingDirective.EXCLUDE));
        bill("upsert of something new", database.upsertItem("p", item("5", 5, "")));
        bill("upsert of what is there", database.upsertItem("p", item("5", 6, "")));
        bill("replace", database.write("p", new ItemWrite.Replace("5", bytes(item("5", 7, "")), Precondition.NONE)));
        bill(
                "replace by the same",
                database.write("p", new ItemWrite.Replace("5", bytes(item("5", 7, "")), Precondition.NONE)));
        var stale = new Precondition(Optional.of("\"stale\""), Optional.empty());
        bill(
                "replace of another version",
                database.write("p", new ItemWrite.Replace("5", bytes(item("5", 8, "")), stale)));
        var steps = "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1},{\"op\":\"add\",\"path\":\"/m\",\"value\":true}]";
        var patch = JsonPatch.parse(JsonReader.parse(bytes(steps)));
        bill("patch of two steps", database.write("p", new ItemWrite.Patch("5", patch, Precondition.NONE)));
        for (int i = 10; i < 30; i++) {
            database.createItem("p", item("" + i, i, ""));
        }
    }

    private void read(TestDatabase database) {
        var read = database.readItem("p", "1");
        bill("read", read);
        bill("read of 100 KB", database.readItem("q", "3"));
        bill("read of what is not there", database.readItem("p", "none"));
        var known = new Precondition(Optional.empty(), read.facts().etag());
        bill(
                "read of what is known",
                database.execute(new Operation.ReadItem(CONTAINER, "1", Optional.of(key("p")), known)));
        bill("feed of a partition", database.execute(new Operation.ListItems(CONTAINER, IN_PARTITION, Page.FIRST)));
        var three = new Page(Optional.of(3), Optional.empty());
        bill("feed, page of three", database.execute(new Operation.ListItems(CONTAINER, IN_PARTITION, three)));
        var changes = database.execute(changes(Optional.empty(), 5));
        bill("changes, page of five", changes);
        var all = database.execute(changes(Optional.empty(), 1_000));
        bill("changes, all", all);
        bill("changes, none", database.execute(changes(all.facts().etag(), 5)));
    }

    private static Operation changes(Optional<String> after, int itemsMax) {
        var wanted = new ChangesWanted(ChangeMode.LATEST_VERSION, after, Optional.empty(), false, false);
        return new Operation.ReadChanges(CONTAINER, Scope.ALL, wanted, Optional.of(itemsMax));
    }

    private void query(TestDatabase database) {
        for (var text : List.of(
                "SELECT * FROM c",
                "SELECT * FROM c WHERE c.id = '1'",
                "SELECT * FROM c WHERE c.n = 12",
                "SELECT * FROM c WHERE c.n > 20",
                "SELECT c.id FROM c WHERE c.n > 20",
                "SELECT * FROM c WHERE c.none = 1",
                "SELECT * FROM c WHERE c.n > 20 AND c.name LIKE '%2%'",
                "SELECT TOP 3 * FROM c ORDER BY c.n DESC",
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT VALUE COUNT(1) FROM c WHERE c.n > 20",
                "SELECT VALUE SUM(c.n) FROM c",
                "SELECT DISTINCT c.pk FROM c",
                "SELECT COUNT(1) AS number, c.pk FROM c GROUP BY c.pk")) {
            bill(text, database.execute(query(text, Scope.ALL)));
        }
        bill("in one partition: SELECT * FROM c", database.execute(query("SELECT * FROM c", IN_PARTITION)));
        bill("nonsense: SELECT", database.execute(query("SELECT", Scope.ALL)));
    }

    private static Operation query(String text, Scope scope) {
        return new Operation.QueryItems(
                CONTAINER, scope, queryText(text, Map.of()), Page.FIRST, Set.of(QueryWish.WHOLE_RESULT));
    }

    private void writeTogether(TestDatabase database) {
        var entries = List.of(
                entry(new BatchAction.Write(new ItemWrite.Create(bytes(item("40", 40, "")), Precondition.NONE))),
                entry(new BatchAction.Write(new ItemWrite.Upsert(bytes(item("41", 41, "")), Precondition.NONE))),
                entry(new BatchAction.Read("1", Precondition.NONE)),
                entry(new BatchAction.Write(new ItemWrite.Delete("10", Precondition.NONE))));
        bill("atomic batch", database.execute(new Operation.Batch(CONTAINER, IN_PARTITION, entries, true, true)));
        bill(
                "atomic batch, undone",
                database.execute(new Operation.Batch(CONTAINER, IN_PARTITION, entries, true, true)));
        bill("bulk", database.execute(new Operation.Batch(CONTAINER, IN_PARTITION, entries, false, true)));
    }

    private static BatchItem entry(BatchAction action) {
        return new BatchItem(action, Optional.empty(), false);
    }

    private void delete(TestDatabase database) {
        bill("delete", database.deleteItem("p", "1"));
        bill("delete of what is not there", database.deleteItem("p", "1"));
        bill("delete of a partition", database.execute(new Operation.DeletePartition(CONTAINER, key("p"))));
        bill("delete of an empty partition", database.execute(new Operation.DeletePartition(CONTAINER, key("p"))));
    }

    private static String item(String id, int n, String text) {
        return "{\"id\":\"%s\",\"pk\":\"p\",\"n\":%d,\"name\":\"number %d\",\"text\":\"%s\"}".formatted(id, n, n, text);
    }

    private void bill(String name, Outcome outcome) {
        charges.add(outcome.charge());
        bills.add(name + " -> " + describe(outcome.answer()));
        for (var line : outcome.bill().lines()) {
            var bytes = line.bytes() == 0 ? "" : ", " + line.bytes() + " bytes";
            bills.add("  " + line.effort().label() + " " + line.count() + bytes);
        }
    }

    private static String describe(Answer answer) {
        return switch (answer) {
            case Answer.Refused(var failure) -> failure.getClass().getSimpleName();
            case Answer.Feed feed -> feed.rows().size() + " rows";
            default -> answer.getClass().getSimpleName();
        };
    }
}
