package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.IndexMetrics.Indexes;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.IndexUse;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people are told about the indexes of a query. */
class IndexReportTest {
    private static final String DEFINITION = """
        {"id":"c","partitionKey":{"paths":["/pk"],"version":2},
         "computedProperties":[
           {"name":"low","query":"SELECT VALUE LOWER(c.name) FROM c"},
           {"name":"high","query":"SELECT VALUE UPPER(c.name) FROM c"}],
         "indexingPolicy":{
          "includedPaths":[{"path":"/*"},{"path":"/low/?"},{"path":"/lines/[]/{sku, size}/?"}],
          "excludedPaths":[{"path":"/secret/*"}],
          "spatialIndexes":[{"path":"/home/*","types":["Point"]}],
          "compositeIndexes":[
            [{"path":"/city","order":"descending"},{"path":"/price","order":"descending"}],
            [{"path":"/a"},{"path":"/b"}]]}}
        """;
    private static TestDatabase database;

    @BeforeAll
    static void fill() {
        database = TestDatabase.withContainer(DEFINITION, 400);
        for (int number = 0; number < 100; number++) {
            database.createItem("p" + number % 10, """
                {"id":"i%d","pk":"p%d","price":%d,"city":"c%d","name":"n%d","tags":["t%d"],"a":1,"b":%d,
                 "lines":[{"sku":"s%d","size":1}],"secret":{"code":%d}}
                """.formatted(
                            number, number % 10, number, number % 4, number, number % 5, number, number, number));
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        SELECT * FROM c                                                  | - | -
        SELECT * FROM c WHERE c.name = 'n1'                              | /name/? High | -
        SELECT * FROM c WHERE c.price > 5                                | /price/? High | -
        SELECT * FROM c WHERE IS_DEFINED(c.price)                        | /price/? Low | -
        SELECT * FROM c WHERE IS_NUMBER(c.price)                         | /price/? Low | -
        SELECT * FROM c WHERE c['a b'].x = 5                             | /"a b"/x/? High | -
        SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 't1')               | /tags/[]/? High | -
        SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE t = 't1'         | /tags/[]/? High | -
        SELECT * FROM c WHERE EXISTS(SELECT 1 FROM l IN c.lines WHERE l.sku = 's1' AND l.size = 1) | /lines/[]/sku/? High; /lines/[]/size/? High; /lines/[]/{sku, size}/? High | -
        SELECT * FROM c WHERE c.secret.code = 5                          | - | /secret/code/? High
        SELECT * FROM c WHERE c.name = 'n1' OR c.secret.code = 5         | - | /secret/code/? High
        SELECT * FROM c WHERE c.name = 'n1' OR c.price = 5               | /name/? High; /price/? High | -
        SELECT * FROM c WHERE c.name = 'n1' AND c.price > 5              | /name/? High; /price/? High | (/name ASC, /price ASC) High
        SELECT * FROM c WHERE c.city = 'c1' AND c.price > 5              | /city/? High; /price/? High | -
        SELECT * FROM c WHERE c.name = 'n1' AND c.pk = 'p1'              | /name/? High; /pk/? High | (/name ASC, /pk ASC) High
        SELECT * FROM c WHERE c.b = 1 AND c.a = 1                        | /b/? High; /a/? High | -
        SELECT * FROM c WHERE c.price > 1 AND c.b > 1                    | /price/? High; /b/? High | -
        SELECT * FROM c ORDER BY c.price                                 | /price/? High | -
        SELECT * FROM c WHERE c.price > 5 ORDER BY c.price               | /price/? High | -
        SELECT * FROM c WHERE c.name = 'n1' ORDER BY c.price DESC        | /name/? High; /price/? High | (/name DESC, /price DESC) High
        SELECT * FROM c WHERE c.city = 'c1' ORDER BY c.price             | /city/? High; (/city DESC, /price DESC) High | -
        SELECT * FROM c WHERE ST_DISTANCE(c.place, {'type':'Point','coordinates':[1,2]}) < 10    | - | /place/* High
        SELECT * FROM c WHERE ST_DISTANCE(c.home, {'type':'Point','coordinates':[1,2]}) < 10     | /home/* High | -
        SELECT * FROM c WHERE c.low = 'n1'                               | /low/? High | -
        SELECT * FROM c WHERE c.high = 'N1'                              | - | /high/? High
        SELECT * FROM c ORDER BY c.low                                   | /low/? High | -
        SELECT VALUE MAX(c.price) FROM c                                 | /price/? High | -
        SELECT DISTINCT VALUE c.secret.code FROM c                       | - | /secret/code/? High
        SELECT * FROM c ORDER BY c.a, c.b                                | (/a ASC, /b ASC) High | -
        SELECT * FROM c ORDER BY c.a DESC, c.b DESC                      | (/a ASC, /b ASC) High | -
        """)
    void itTellsWhichIndexesServeAndWhichWould(String query, String utilized, String potential) {
        var metrics = use(query).metrics();
        assertThat(text(metrics.utilized())).as("utilized").isEqualTo(utilized == null ? "" : utilized);
        assertThat(text(metrics.potential())).as("potential").isEqualTo(potential == null ? "" : potential);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c WHERE c.price >= 10 AND c.price < 20             | /price/? from 10 below 20
        SELECT * FROM c WHERE c.price BETWEEN 10 AND 20                  | /price/? from 10 to 20
        SELECT * FROM c WHERE STARTSWITH(c.name, 'n9')                   | /name/? starting with "n9"
        SELECT * FROM c WHERE c.name IN ('n1', 'n2', 'n3', 'n4', 'n5')   | /name/? in ("n1", "n2", "n3", 2 more)
        SELECT * FROM c WHERE c.name = 'n1' OR c.price = 2               | (/name/? = "n1" or /price/? = 2)
        SELECT * FROM c WHERE ST_DISTANCE(c.home, {'type':'Point','coordinates':[1,2]}) <= 10    | cells of /home/* within 10
        SELECT * FROM c ORDER BY c.price DESC                            | order of /price/? descending
        SELECT * FROM c WHERE c.price > 5 ORDER BY c.price               | order of /price/?, above 5
        SELECT * FROM c WHERE c.city = 'c1' ORDER BY c.price             | composite (/city DESC, /price DESC) where /city = "c1"
        SELECT * FROM c WHERE c.low > 'n5' ORDER BY c.low DESC           | order of /low/? descending, above "n5"
        SELECT VALUE MAX(c.price) FROM c                                 | values of /price/?, answered from the index alone
        SELECT VALUE COUNT(1) FROM c WHERE c.price > 5                   | /price/? above 5, answered from the index alone
        """)
    void itSaysHowAnIndexWasUsed(String query, String words) {
        assertThat(use(query).used()).containsExactly(words);
    }

    @Test
    void itCountsTheEntriesThatWereRead() {
        assertThat(use("SELECT * FROM c WHERE c.price BETWEEN 10 AND 19").entriesRead())
                .isEqualTo(10);
        assertThat(use("SELECT TOP 3 * FROM c ORDER BY c.price").entriesRead()).isBetween(3L, 4L);
        assertThat(use("SELECT * FROM c").entriesRead()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c WHERE c.price < 30 AND c.b > 20                          | 9
        SELECT * FROM c WHERE c.city = 'c1' AND c.price < 30                     | 8
        SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 't1') AND c.price < 50      | 10
        SELECT TOP 10 * FROM c WHERE c.a = 1 AND c.b > 95 ORDER BY c.a, c.b      | 4
        SELECT TOP 10 * FROM c WHERE c.a = 1 AND c.b > 95 ORDER BY c.b DESC      | 4
        SELECT * FROM c WHERE NOT IS_DEFINED(c.price)                            | 0
        SELECT * FROM c WHERE c.low = 'n7'                                       | 1
        """)
    void onlyWhatAllConditionsHaveInCommonIsLoaded(String query, long items) {
        var metrics = database.page(TestDatabase.queryText(query, Map.of()), Scope.ALL, Page.FIRST)
                .facts()
                .queryMetrics()
                .orElseThrow();
        assertThat(metrics.itemsReturned()).isEqualTo(items);
        assertThat(metrics.itemsRead()).isEqualTo(items);
    }

    @Test
    void anIndexOfVectorsIsNamedToo() {
        var definition = """
            {"id":"c","partitionKey":{"paths":["/pk"],"version":2},
             "vectorEmbeddingPolicy":{"vectorEmbeddings":[
               {"path":"/v","dataType":"float32","dimensions":2,"distanceFunction":"euclidean"}]},
             "indexingPolicy":{"vectorIndexes":[{"path":"/v","type":"flat"}]}}
            """;
        try (var vectors = TestDatabase.withContainer(definition, 400)) {
            vectors.createItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"v\":[1,2]}");
            var use = use(vectors, "SELECT TOP 1 c.id FROM c ORDER BY VectorDistance(c.v, [1, 1])");
            assertThat(use.used()).containsExactly("nearest vectors of /v");
            assertThat(text(use.metrics().utilized())).isEqualTo("/v High");
        }
    }

    @Test
    void itHintsAtWhatWouldHelp() {
        assertThat(use("SELECT * FROM c WHERE c.secret.code = 5").hints())
                .containsExactly("/secret/code/? is not indexed: an index of it would help");
        assertThat(use("SELECT * FROM c WHERE c.name = 'n1' ORDER BY c.price DESC")
                        .hints())
                .containsExactly("a composite index (/name DESC, /price DESC) would give the filtered items in order");
        assertThat(use("SELECT * FROM c WHERE c.price + 1 = 5").hints())
                .containsExactly("no index can answer this filter: compare a path with a value, as in c.price > 10");
        assertThat(use("SELECT * FROM c WHERE c.name = 'n1' AND c.price > 5").hints())
                .isEmpty();
    }

    private static IndexUse use(String query) {
        return use(database, query);
    }

    private static IndexUse use(TestDatabase asked, String query) {
        return asked.page(TestDatabase.queryText(query, Map.of()), Scope.ALL, Page.FIRST)
                .facts()
                .queryMetrics()
                .orElseThrow()
                .explanation()
                .orElseThrow()
                .indexes();
    }

    private static String text(Indexes indexes) {
        return Stream.concat(
                        indexes.single().stream().map(index -> index.path() + " " + score(index.impact())),
                        indexes.composite().stream()
                                .map(index -> "(" + String.join(", ", index.parts()) + ") " + score(index.impact())))
                .collect(Collectors.joining("; "));
    }

    private static String score(Enum<?> impact) {
        return impact.name().charAt(0) + impact.name().substring(1).toLowerCase(Locale.ROOT);
    }
}
