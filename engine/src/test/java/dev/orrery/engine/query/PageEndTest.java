package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A token promises another row: no page is empty but the first, and to look ahead costs nothing in all. */
class PageEndTest {
    private static final int ITEMS = 60;
    private static final int PASSED_MAX = 1_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT VALUE c.n FROM c                                             | 60
        SELECT VALUE c.n FROM c WHERE c.n % 10 = 0                          | 6
        SELECT VALUE c.n FROM c WHERE c.n % 60 = 0                          | 1
        SELECT VALUE c.n FROM c WHERE c.n % 10 = 10                         | 0
        SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n % 20 = 3           | 6
        SELECT VALUE c.n FROM c WHERE c.n % 10 = 0 OFFSET 1 LIMIT 4         | 4
        SELECT TOP 4 VALUE c.n FROM c WHERE c.n % 10 = 0                    | 4
        SELECT VALUE c.n FROM c WHERE c.n % 10 = 0 ORDER BY c.n             | 6
        SELECT VALUE c.n FROM c WHERE c.n % 20 = 3 ORDER BY c.n DESC        | 3
        SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n % 20 = 3 ORDER BY c.n | 6
        """)
    void theLastPageHasRows(String query, int rows) {
        for (int ranges : new int[] {400, 18_000}) {
            try (var database = filled(ranges, ITEMS)) {
                for (int pageSize = 1; pageSize <= 7; pageSize++) {
                    var pages = pages(database, query, pageSize);
                    var name = query + " in pages of " + pageSize;
                    assertThat(pages.stream().mapToInt(Integer::intValue).sum())
                            .as(name)
                            .isEqualTo(rows);
                    assertThat(pages).as(name).hasSize(Math.max(1, Math.ceilDiv(rows, pageSize)));
                }
            }
        }
    }

    @Test
    void howFarItLooksAheadIsBounded() {
        try (var database = filled(400, 3 * PASSED_MAX)) {
            assertThat(pages(database, "SELECT VALUE c.n FROM c WHERE c.n % 10000 = 0", 1))
                    .containsExactly(1, 0);
        }
    }

    private static TestDatabase filled(int requestUnits, int items) {
        var database = TestDatabase.withContainer(
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}", requestUnits);
        for (int number = 0; number < items; number++) {
            // Of many, the first in the order of ids comes first of all.
            var partition = "p" + (items > ITEMS ? 0 : number % 7);
            database.createItem(
                    partition,
                    "{\"id\":\"%d\",\"pk\":\"%s\",\"n\":%d,\"tags\":[1,2]}".formatted(number, partition, number));
        }
        return database;
    }

    /** How many rows each page has. */
    private static List<Integer> pages(TestDatabase database, String text, int pageSize) {
        var pages = new ArrayList<Integer>();
        Optional<String> continuation = Optional.empty();
        do {
            var outcome = database.page(
                    TestDatabase.queryText(text, Map.of()), Scope.ALL, new Page(Optional.of(pageSize), continuation));
            pages.add(TestDatabase.rows(outcome).size());
            continuation = outcome.facts().continuation();
        } while (continuation.isPresent());
        return pages;
    }
}
