package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Await;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A range that takes no commits keeps nobody from doing in the range beside it what is to be done there. */
class OneBadRangeTest {
    private static final String START = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}";
    private static final int UNITS_OF_TWO_RANGES = 12_000;
    private static final int ITEMS = 40;

    private volatile PartitionId bad;
    private final Store store = new FaultyStore(
            new MemoryStore(), (id, commit) -> id.equals(bad) ? new Fault.Fail(false) : new Fault.None());
    private final TestDatabase database =
            TestDatabase.withContainer(store, START + ",\"defaultTtl\":-1}", UNITS_OF_TWO_RANGES);

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void itemsExpireInTheOther(int range) {
        fill(",\"ttl\":1");
        var good = spoil(range);
        database.passSeconds(10);

        Await.until("its items are gone", () -> rows(good, KeySpace.ITEM).isEmpty());
        assertThat(rows(bad, KeySpace.ITEM)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theNewTimeToLiveHoldsInTheOther(int range) {
        fill("");
        var good = spoil(range);
        database.replaceContainer(START + ",\"defaultTtl\":1000}");

        int items = rows(good, KeySpace.ITEM).size();
        Await.value("items that are due", () -> rows(good, KeySpace.EXPIRY).size(), items);
        assertThat(rows(bad, KeySpace.EXPIRY)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theOtherIsIndexedAnew(int range) {
        fill("");
        var good = spoil(range);
        int goodEntries = rows(good, KeySpace.INDEX).size();
        int badEntries = rows(bad, KeySpace.INDEX).size();
        database.replaceContainer(
                START + ",\"defaultTtl\":-1,\"indexingPolicy\":{\"excludedPaths\":[{\"path\":\"/n/?\"}]}}");

        Await.until("it has fewer entries", () -> rows(good, KeySpace.INDEX).size() < goodEntries);
        assertThat(rows(bad, KeySpace.INDEX)).hasSize(badEntries);
    }

    private void fill(String member) {
        for (int i = 0; i < ITEMS; i++) {
            var body = "{\"id\":\"i\",\"pk\":\"p%d\",\"n\":%d%s}".formatted(i, i, member);
            TestDatabase.json(database.createItem("p" + i, body));
        }
    }

    /** Has one of the two ranges take no commits any more; tells the other. */
    private PartitionId spoil(int range) {
        var ranges = store.partitions().stream()
                .filter(id -> !rows(id, KeySpace.ITEM).isEmpty())
                .toList();
        assertThat(ranges).hasSize(2);
        bad = ranges.get(range);
        return ranges.get(1 - range);
    }

    private Map<String, String> rows(PartitionId id, KeySpace space) {
        return StoredRows.of(store, id, space);
    }
}
