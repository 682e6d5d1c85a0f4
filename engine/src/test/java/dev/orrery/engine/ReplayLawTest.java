package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever happens to a database, its commits alone make the same rows again, elsewhere. */
class ReplayLawTest {
    private static final String DEFINITION = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,\
        "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]}%s}\
        """;
    private static final String SPARSE =
            ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/v/?\"}],\"excludedPaths\":[{\"path\":\"/*\"}]}";

    @Test
    void theCommitsOfAHistoryMakeTheSameRowsInAnEmptyStore() throws Exception {
        var random = Seed.random();
        var recorded = new RecordingStore(new MemoryStore());
        try (var database = TestDatabase.withContainer(recorded, DEFINITION.formatted(""), 400)) {
            live(database, random);
        }
        try (var copy = new MemoryStore()) {
            recorded.replayTo(copy);
            assertThat(copy.partitions()).isEqualTo(recorded.partitions());
            assertThat(StoredRows.of(copy)).isEqualTo(StoredRows.of(recorded));
        }
    }

    /** Writes, deletes, lets items expire, trims, indexes anew, splits and restarts. */
    private static void live(TestDatabase database, RandomGenerator random) {
        int requestUnits = 400;
        boolean sparse = false;
        for (int step = 0; step < 1_500; step++) {
            var partition = "p" + random.nextInt(8);
            var id = "i" + random.nextInt(10);
            switch (random.nextInt(24)) {
                case 0, 1, 2, 3 -> database.deleteItem(partition, id);
                case 4, 5 -> database.passSeconds(random.nextInt(200));
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        database.trimLogs();
                    }
                }
                case 7 -> {
                    if (random.nextInt(8) == 0) {
                        sparse = !sparse;
                        database.replaceContainer(DEFINITION.formatted(sparse ? SPARSE : ""));
                    }
                }
                case 8 -> {
                    if (random.nextInt(12) == 0) {
                        database.reopen();
                    } else if (random.nextInt(12) == 0 && requestUnits < 40_000) {
                        requestUnits += 10_000;
                        database.setThroughput(requestUnits / 1000 * 1000);
                    }
                }
                default -> {
                    int ttl = random.nextInt(4) == 0 ? 1 + random.nextInt(300) : -1;
                    database.upsertItem(
                            partition,
                            "{\"id\":\"%s\",\"pk\":\"%s\",\"v\":%d,\"mail\":\"%s\",\"ttl\":%d}"
                                    .formatted(id, partition, step, id + random.nextInt(2), ttl));
                }
            }
        }
    }
}
