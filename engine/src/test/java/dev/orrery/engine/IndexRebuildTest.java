package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.ReadResource;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed indexing policy takes effect in the background, and queries are right all the while. */
class IndexRebuildTest {
    private static final String ONLY_IDS =
            "{\"includedPaths\":[{\"path\":\"/id/?\"}],\"excludedPaths\":[{\"path\":\"/*\"}]}";
    private static final String EVERYTHING =
            "{\"compositeIndexes\":[[{\"path\":\"/team\"},{\"path\":\"/v\",\"order\":\"descending\"}]]}";
    private static final int ITEMS = 300;

    @TempDir
    Path directory;

    private static String definition(String policy) {
        return "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},\"indexingPolicy\":"
                + policy + "}";
    }

    private static void fill(TestDatabase database) {
        for (int i = 0; i < ITEMS; i++) {
            database.createItem("p" + i % 7, item(i, i));
        }
    }

    private static String item(int number, int value) {
        return "{\"id\":\"" + number + "\",\"pk\":\"p" + number % 7 + "\",\"v\":" + value + ",\"team\":\"g" + number % 3
                + "\"}";
    }

    @Test
    void pathsThatAreIncludedLaterAreUsedOnceAllItemsAreIndexed() {
        try (var database = TestDatabase.withContainer(definition(ONLY_IDS), 400)) {
            fill(database);
            assertThat(access(database, "SELECT * FROM c WHERE c.v = 7")).isEqualTo(Access.SCAN);

            database.replaceContainer(definition(EVERYTHING));
            database.upsertItem("p0", item(0, 7)); // Written while the index may be half done.
            awaitIndexed(database);

            assertThat(access(database, "SELECT * FROM c WHERE c.v = 7")).isEqualTo(Access.INDEX);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 7 ORDER BY c.id"))
                    .containsExactly(new Str("0"), new Str("7"));
            assertThat(ids(database, "SELECT TOP 2 VALUE c.id FROM c WHERE c.team = 'g1' ORDER BY c.team, c.v DESC"))
                    .containsExactly(new Str("298"), new Str("295"));
        }
    }

    @Test
    void entriesThatAPolicyNoLongerAsksForGoAway() {
        try (var database = TestDatabase.withContainer(definition(EVERYTHING), 400)) {
            fill(database);
            database.replaceContainer(definition(ONLY_IDS));
            awaitIndexed(database);
            assertThat(access(database, "SELECT * FROM c WHERE c.v = 7")).isEqualTo(Access.SCAN);
            database.upsertItem("p0", item(0, 7));

            database.replaceContainer(definition(EVERYTHING));
            awaitIndexed(database);

            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 0")).isEmpty();
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 7 ORDER BY c.id"))
                    .containsExactly(new Str("0"), new Str("7"));
        }
    }

    @Test
    void queriesAreRightWhilePoliciesChangeAndItemsAreWritten() {
        try (var database = TestDatabase.withContainer(definition(EVERYTHING), 12_000)) {
            fill(database);
            for (int round = 0; round < 20; round++) {
                database.replaceContainer(definition(round % 2 == 0 ? ONLY_IDS : EVERYTHING));
                for (int i = 0; i < 10; i++) {
                    int number = (round * 31 + i * 7) % ITEMS;
                    database.upsertItem("p" + number % 7, item(number, 1_000 + round));
                    assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = " + (1_000 + round)))
                            .contains(new Str(Integer.toString(number)));
                    assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = " + number))
                            .doesNotContain(new Str(Integer.toString(number)));
                }
            }
            database.replaceContainer(definition(EVERYTHING));
            awaitIndexed(database);
            assertThat(ids(database, "SELECT VALUE COUNT(1) FROM c WHERE c.team >= 'g'"))
                    .containsExactly(new JsonValue.Num(ITEMS));
        }
    }

    @Test
    void whatWasBegunGoesOnAfterARestart() {
        try (var database = TestDatabase.withContainer(directory, definition(ONLY_IDS), 400)) {
            fill(database);
            database.replaceContainer(definition(EVERYTHING));
            database.reopen();
            awaitIndexed(database);
            assertThat(access(database, "SELECT * FROM c WHERE c.v = 7")).isEqualTo(Access.INDEX);
            assertThat(ids(database, "SELECT VALUE c.id FROM c WHERE c.v = 7")).containsExactly(new Str("7"));
        }
    }

    private static List<JsonValue> ids(TestDatabase database, String query) {
        return database.query(query, Scope.ALL, 1_000);
    }

    private static Access access(TestDatabase database, String query) {
        return explained(database, query)
                .facts()
                .queryMetrics()
                .orElseThrow()
                .explanation()
                .orElseThrow()
                .access();
    }

    private static Outcome explained(TestDatabase database, String query) {
        return database.page(TestDatabase.queryText(query, Map.of()), Scope.ALL, Page.FIRST);
    }

    private static void awaitIndexed(TestDatabase database) {
        Await.value(
                "percent of the items that are indexed",
                () -> {
                    var read = database.execute(new ReadResource(TestDatabase.CONTAINER, Precondition.NONE, true, 0));
                    assertThat(read.answer()).isInstanceOf(Answer.Resource.class);
                    return read.facts().indexProgressPercent().orElse(-1);
                },
                100);
    }
}
