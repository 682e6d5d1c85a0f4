package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.SdkRoad;
import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.store.Seed;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The server ranks the same candidates as an SDK that goes by the plan: the best of each range by each score. There are more
 * items in a range than it keeps, and many with the same score.
 */
class RankLawTest {
    private static final int ITEMS = 900;
    private static final int THREE_RANGES = 18_000;
    private static final int PARTITIONS = 30;
    private static final List<String> WORDS = List.of("red", "bicycle", "lamp", "fast", "old", "sea");

    private final RandomGenerator random = Seed.random();

    @Test
    void theServerRanksAsAnSdkDoes() {
        try (var database = TestDatabase.withContainer(
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
                    + "\"vectorEmbeddingPolicy\":{\"vectorEmbeddings\":[{\"path\":\"/vector\","
                    + "\"dataType\":\"float32\",\"distanceFunction\":\"cosine\",\"dimensions\":2}]},"
                    + "\"fullTextPolicy\":{\"defaultLanguage\":\"en-US\",\"fullTextPaths\":[{\"path\":\"/text\"}]}}",
                THREE_RANGES)) {
            assertThat(database.ranges()).hasSize(3);
            for (int number = 0; number < ITEMS; number++) {
                var partition = "p" + number % PARTITIONS;
                database.createItem(
                        partition,
                        "{\"id\":\"%d\",\"pk\":\"%s\",\"text\":\"%s\",\"vector\":[%d,%d]}"
                                .formatted(number, partition, text(), 1 + random.nextInt(40), random.nextInt(40)));
            }
            for (int count = 0; count < 12; count++) {
                var query = query();
                assertThat(database.query(TestDatabase.queryText(query, Map.of()), Scope.ALL, 1_000, _ -> {}))
                        .as(query)
                        .isEqualTo(SdkRoad.rows(database, query, Map.of()));
            }
        }
    }

    private String query() {
        var score = "FullTextScore(c.text, '" + word() + "', '" + word() + "')";
        var distance = "VectorDistance(c.vector, [" + random.nextInt(9) + "," + (1 + random.nextInt(9)) + "])";
        var rank = switch (random.nextInt(4)) {
            case 0 -> score;
            case 1 -> "RRF(" + score + ", FullTextScore(c.text, '" + word() + "'))";
            case 2 -> "RRF(" + score + ", " + distance + ", [1, 3])";
            default -> "RRF(" + score + ", " + distance + ")";
        };
        return "SELECT TOP " + (1 + random.nextInt(150)) + " VALUE c.id FROM c ORDER BY RANK " + rank;
    }

    private String text() {
        var text = new StringBuilder(word());
        for (int more = random.nextInt(6); more > 0; more--) {
            text.append(' ').append(word());
        }
        return text.toString();
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }
}
