package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No page is larger than a page may be, whatever its rows are like. */
class LargeRowsTest {
    private static final int ITEMS = 8;
    private static final int TEXT_CHARACTERS = 1_500_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c",
                "SELECT c.n, c.text FROM c",
                "SELECT c.n, c.text FROM c ORDER BY c.n",
                "SELECT c.n, c.text FROM c ORDER BY c.n DESC",
                "SELECT DISTINCT c.n, c.text FROM c",
                "SELECT c.n, MAX(c.text) AS text FROM c GROUP BY c.n",
                "SELECT c.n, c.text, t FROM c JOIN t IN c.three",
                "SELECT c.n, c.text, t FROM c JOIN t IN c.three ORDER BY c.n",
                "SELECT r.n, r.text FROM (SELECT c.n, c.text FROM c) r OFFSET 1 LIMIT 6"
            })
    void aPageEndsBeforeTheRowThatItHasNoRoomFor(String query) {
        try (var database = filled()) {
            var whole = database.query(query.replace("c.text", "LEFT(c.text, 3)"), Scope.ALL, 1_000);
            var rows = new ArrayList<JsonValue>();
            int pages = 0;
            Optional<String> next = Optional.empty();
            do {
                var outcome = database.page(
                        TestDatabase.queryText(query, Map.of()), Scope.ALL, new Page(Optional.of(1_000), next));
                rows.addAll(TestDatabase.rows(outcome));
                assertThat(bytes(outcome)).isLessThanOrEqualTo(Limits.PAGE_BYTES_MAX);
                next = outcome.facts().continuation();
                pages++;
            } while (next.isPresent());
            assertThat(numbers(rows)).isEqualTo(numbers(whole));
            assertThat(pages).isGreaterThanOrEqualTo(rows.size() / 2);
        }
    }

    @Test
    void aFeedEndsBeforeTheItemThatItHasNoRoomFor() {
        try (var database = filled()) {
            var rows = new ArrayList<JsonValue>();
            Optional<String> next = Optional.empty();
            do {
                var outcome = database.execute(
                        new Operation.ListItems(TestDatabase.CONTAINER, Scope.ALL, new Page(Optional.of(1_000), next)));
                rows.addAll(TestDatabase.rows(outcome));
                assertThat(bytes(outcome)).isLessThanOrEqualTo(Limits.PAGE_BYTES_MAX);
                next = outcome.facts().continuation();
            } while (next.isPresent());
            assertThat(numbers(rows)).hasSize(ITEMS).doesNotHaveDuplicates();
        }
    }

    @Test
    void aListOfScriptsEndsBeforeTheOneThatItHasNoRoomFor() {
        try (var database = TestDatabase.withContainer()) {
            var body = "function f() { /* " + "x".repeat(500_000) + " */ }";
            for (int i = 0; i < 12; i++) {
                database.create(
                        ResourceKind.STORED_PROCEDURE,
                        TestDatabase.CONTAINER,
                        "{\"id\":\"p" + i + "\",\"body\":\"" + body + "\"}",
                        Optional.empty());
            }
            var rows = new ArrayList<JsonValue>();
            Optional<String> next = Optional.empty();
            do {
                var outcome = database.execute(new Operation.ListResources(
                        ResourceKind.STORED_PROCEDURE, TestDatabase.CONTAINER, new Page(Optional.empty(), next)));
                rows.addAll(TestDatabase.rows(outcome));
                assertThat(bytes(outcome)).isLessThanOrEqualTo(Limits.PAGE_BYTES_MAX);
                next = outcome.facts().continuation();
            } while (next.isPresent());
            assertThat(rows).hasSize(12);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE ARRAY(SELECT VALUE c.text FROM t IN c.three) FROM c",
                "SELECT VALUE [c.text, c.text, c.text] FROM c ORDER BY c.n",
                "SELECT VALUE CONCAT(c.text, c.text, c.text) FROM c",
                "SELECT DISTINCT VALUE {a: c.text, b: c.text, d: c.text} FROM c",
                "SELECT VALUE MAKELIST(c.text) FROM c"
            })
    void aRowThatFitsOnNoPageIsRefused(String query) {
        try (var database = filled()) {
            assertThatThrownBy(() -> database.query(query, Scope.ALL, 1_000))
                    .hasMessageContaining("A row of the result is larger than 4 MB");
        }
    }

    @Test
    void aRowThatJustFitsIsGiven() {
        try (var database = filled()) {
            int rest = Limits.PAGE_BYTES_MAX - 2 * TEXT_CHARACTERS - 2;
            var query = "SELECT TOP 1 VALUE CONCAT(c.text, c.text, LEFT(c.text, %d)) FROM c";
            assertThat(database.query(query.formatted(rest), Scope.ALL, 1_000)).hasSize(1);
            assertThatThrownBy(() -> database.query(query.formatted(rest + 1), Scope.ALL, 1_000))
                    .hasMessageContaining("larger than 4 MB");
        }
    }

    /** What a few kilobytes of query and item would make would fill any memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE ARRAY(SELECT VALUE c.s FROM a IN c.arr JOIN b IN c.arr JOIN d IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE c.s FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE c.s FROM a IN c.arr) FROM c"
            })
    void oneItemThatAQueryMultipliesIsRefused(String query) {
        try (var database = TestDatabase.withContainer()) {
            var numbers = IntStream.range(0, 60).mapToObj(Integer::toString).toList();
            database.createItem(
                    "p", "{\"id\":\"1\",\"pk\":\"p\",\"s\":\"" + "x".repeat(100_000) + "\",\"arr\":" + numbers + "}");
            assertThatThrownBy(() -> database.query(query, Scope.ALL, 1_000))
                    .hasMessageMatching("(The query needs more than .* of memory|A row of the result is larger).*");
            assertThat(database.query("SELECT VALUE c.id FROM c", Scope.ALL, 1_000))
                    .hasSize(1);
        }
    }

    private static TestDatabase filled() {
        var database = TestDatabase.withContainer();
        var text = "x".repeat(TEXT_CHARACTERS);
        for (int number = 0; number < ITEMS; number++) {
            database.createItem(
                    "p" + number % 3,
                    "{\"id\":\"%d\",\"pk\":\"p%d\",\"n\":%d,\"three\":[1,2,3],\"text\":\"%s\"}"
                            .formatted(number, number % 3, number, text));
        }
        return database;
    }

    private static long bytes(Outcome outcome) {
        return ((Answer.Feed) outcome.answer())
                .rows().stream().mapToLong(row -> row.remaining()).sum();
    }

    private static List<String> numbers(List<JsonValue> rows) {
        return rows.stream()
                .map(row -> ((Num) ((Obj) row).member("n")).value() + "/" + ((Obj) row).member("t"))
                .toList();
    }
}
