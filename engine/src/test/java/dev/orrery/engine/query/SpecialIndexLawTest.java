package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.SdkRoad;
import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.store.Seed;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Indexes of shapes, texts and vectors change no row and no order: random items and queries in two containers, of which
 * one has these indexes and the other has none.
 */
class SpecialIndexLawTest {
    private static final int ITEMS = 80;
    private static final int ONE_RANGE = 400;
    private static final int FOUR_RANGES = 24_000;

    private final RandomGenerator random = Seed.random();

    @Test
    void anIndexOfShapesTextsOrVectorsChangesNothing() {
        for (int round = 0; round < 6; round++) {
            compare(round % 2 == 0, random.nextBoolean() ? ONE_RANGE : FOUR_RANGES);
        }
    }

    private void compare(boolean flat, int requestUnits) {
        var searches = new RandomSearches(random, flat);
        boolean late = random.nextBoolean();
        try (var with = TestDatabase.withContainer(definition(flat, late ? "" : indexes(flat)), requestUnits);
                var without = TestDatabase.withContainer(definition(flat, ""), requestUnits)) {
            fill(searches, with, without);
            if (late) {
                // The first queries come while the indexes are being built.
                with.replaceContainer(definition(flat, indexes(flat)));
            }
            for (int count = 0; count < 200; count++) {
                var query = random.nextInt(8) == 0 ? searches.ranking() : searches.query();
                int pageSize = random.nextBoolean() ? 1_000 : 1 + random.nextInt(9);
                assertThat(rows(with, query, pageSize)).as(query).isEqualTo(rows(without, query, pageSize));
            }
        }
    }

    private static String definition(boolean flat, String indexes) {
        return "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
                + "\"geospatialConfig\":{\"type\":\"" + (flat ? "Geometry" : "Geography") + "\"},"
                + "\"vectorEmbeddingPolicy\":{\"vectorEmbeddings\":[{\"path\":\"/vector\",\"dataType\":\"float32\","
                + "\"distanceFunction\":\"cosine\",\"dimensions\":" + RandomSearches.DIMENSIONS + "}]},"
                + "\"fullTextPolicy\":{\"defaultLanguage\":\"en-US\",\"fullTextPaths\":[{\"path\":\"/text\"},"
                + "{\"path\":\"/more/text\",\"language\":\"de-DE\"}]},"
                + "\"indexingPolicy\":{\"indexingMode\":\"consistent\",\"includedPaths\":[{\"path\":\"/*\"}]" + indexes
                + "}}";
    }

    private static String indexes(boolean flat) {
        var box = flat ? ",\"boundingBox\":{\"xmin\":-20,\"ymin\":-10,\"xmax\":20,\"ymax\":10}" : "";
        var types = ",\"types\":[\"Point\",\"LineString\",\"Polygon\",\"MultiPolygon\"]" + box;
        return ",\"spatialIndexes\":[{\"path\":\"/place/?\"" + types + "},{\"path\":\"/more/*\"" + types
                + "},{\"path\":\"/places/[]/?\"" + types + "}],"
                + "\"fullTextIndexes\":[{\"path\":\"/text\"},{\"path\":\"/more/text\"}],"
                + "\"vectorIndexes\":[{\"path\":\"/vector\",\"type\":\"quantizedFlat\"}]";
    }

    /** Items are written, replaced and deleted, so that entries of former versions would be noticed. */
    private void fill(RandomSearches searches, TestDatabase... databases) {
        for (int number = 0; number < ITEMS; number++) {
            var item = searches.item(number);
            for (var database : databases) {
                database.createItem(RandomSearches.partition(number), item);
            }
        }
        for (int count = 0; count < ITEMS; count++) {
            int number = random.nextInt(ITEMS);
            boolean delete = random.nextInt(4) == 0;
            var item = searches.item(number);
            for (var database : databases) {
                if (delete) {
                    database.deleteItem(RandomSearches.partition(number), "i" + number);
                } else {
                    database.upsertItem(RandomSearches.partition(number), item);
                }
            }
        }
    }

    private static List<String> rows(TestDatabase database, String query, int pageSize) {
        try {
            List<JsonValue> rows =
                    database.query(TestDatabase.queryText(query, Map.of()), Scope.ALL, pageSize, _ -> {});
            return rows.stream()
                    .map(row -> JsonWriter.text(SdkRoad.withoutSystemProperties(row)))
                    .toList();
        } catch (FailureException refusal) {
            return List.of("! " + refusal.failure().message());
        }
    }
}
