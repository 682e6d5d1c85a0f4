package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries about shapes, texts and vectors read few of 200 items when there is an index for them. */
class SpecialIndexTest {
    private static final String DEFINITION = """
        {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},
         "vectorEmbeddingPolicy":{"vectorEmbeddings":[
           {"path":"/vector","dataType":"float32","distanceFunction":"euclidean","dimensions":2}]},
         "fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/text"}]},
         "indexingPolicy":{
           "spatialIndexes":[{"path":"/place/*","types":["Point"]}],
           "fullTextIndexes":[{"path":"/text"}],
           "vectorIndexes":[{"path":"/vector","type":"flat"}]}}\
        """;
    private static TestDatabase database;

    @BeforeAll
    static void fill() {
        database = TestDatabase.withContainer(DEFINITION, 400);
        for (int number = 0; number < 200; number++) {
            var key = "p" + number % 10;
            database.createItem(
                    key,
                    "{\"id\":\"i" + number + "\",\"pk\":\"" + key + "\",\"half\":" + number % 2
                            + ",\"place\":{\"type\":\"Point\",\"coordinates\":[" + number / 2.0 + ",10]}"
                            + ",\"text\":\"" + (number % 20 == 0 ? "a rare red bicycle" : "many common lamps") + "\""
                            + ",\"vector\":[" + number + ",1]}");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c WHERE ST_DISTANCE(c.place, {type: 'Point', coordinates: [7.1, 10]}) < 40000     | 2  | 1
        SELECT * FROM c WHERE ST_WITHIN(c.place, {type: 'Polygon', coordinates: [[[3.9, 9], [5.1, 9], [5.1, 11], [3.9, 11], [3.9, 9]]]}) | 6 | 3
        SELECT * FROM c WHERE FullTextContains(c.text, 'bicycles')                                      | 10 | 10
        SELECT * FROM c WHERE FullTextContainsAll(c.text, 'rare', 'lamp')                               | 0  | 0
        SELECT * FROM c WHERE FullTextContainsAny(c.text, 'rare', 'nobody') AND c.half = 1              | 10 | 0
        SELECT * FROM c WHERE FullTextContains(c.text, 'red bicycle')                                   | 10 | 10
        SELECT TOP 4 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'rare', 'red')                     | 10 | 4
        SELECT TOP 11 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'rare', 'red')                    | 210 | 11
        SELECT COUNT(1) AS n, SUM(_FullTextWordCount(c.text)) AS words, COUNTIF(FullTextContains(c.text, 'lamp')) AS hits FROM c | 0 | 1
        SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.vector, [100, 1])                            | 3  | 3
        SELECT c.id FROM c ORDER BY VectorDistance([100, 1], c.vector) OFFSET 2 LIMIT 3                 | 5  | 3
        SELECT TOP 3 c.id FROM c WHERE c.half + 1 = 1 ORDER BY VectorDistance(c.vector, [0, 1])         | 80 | 3
        SELECT TOP 3 c.id FROM c WHERE c.id IN ('i5', 'i9') ORDER BY VectorDistance(c.vector, [0, 1])   | 2  | 2
        """)
    void onlyWhatIsFoundIsRead(String query, long readMax, long returned) {
        var metrics = metrics(query);
        assertThat(metrics.itemsRead()).isBetween(Math.min(returned, readMax), readMax);
        assertThat(metrics.itemsReturned()).isEqualTo(returned);
    }

    private static QueryMetrics metrics(String query) {
        return database.page(
                        TestDatabase.queryText(query, Map.of()),
                        Scope.ALL,
                        new Page(Optional.of(1_000), Optional.empty()))
                .facts()
                .queryMetrics()
                .orElseThrow();
    }
}
