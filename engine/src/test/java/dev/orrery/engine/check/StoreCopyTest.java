package dev.orrery.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import dev.orrery.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A copy has all that can be read, says what it has not, and holds together; so has one of a moment in the past. */
class StoreCopyTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":-1,"
            + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/mail\"]}]}}";

    private final RandomGenerator random = Seed.random();
    private final MemoryStore original = new MemoryStore();
    private final DamagedStore damaged = new DamagedStore(original);
    private final MemoryStore copy = new MemoryStore();

    @Test
    void ofAStoreThatIsWholeNothingIsLost() {
        fill(3);

        var report = copyReadable();

        assertThat(report.lost()).isEmpty();
        assertThat(report.containers()).isEqualTo(1);
        assertThat(items(copy)).isEqualTo(items(original)).hasSize((int) report.items());
    }

    @Test
    void itemsThatCannotBeReadAreNamedAndAllOthersAreThere() {
        fill(1);
        var keys = rows(original, partition(), KeySpace.ITEM);
        var damages = List.of(between(keys, 0, 2), between(keys, 10, 11), between(keys, 20, 24));
        damages.forEach(range -> damaged.damage(partition(), range));

        var report = copyReadable();

        var expected = items(original);
        keys.stream()
                .filter(key -> damages.stream().anyMatch(range -> range.contains(key)))
                .map(StoreCopyTest::name)
                .forEach(expected::remove);
        assertThat(items(copy)).isEqualTo(expected);
        assertThat(report.lost()).hasSize(items(original).size() - expected.size());
        assertThat(report.lost()).allSatisfy(lost -> assertThat(lost.law()).matches("item .i\\d+. of partition .*"));
    }

    @Test
    void whatElseIsDamagedCostsNoItem() {
        fill(1);
        for (var space : List.of(KeySpace.LOG, KeySpace.INDEX, KeySpace.UNIQUE, KeySpace.VERSION, KeySpace.DOCUMENT)) {
            damaged.damage(partition(), KeyRange.prefix(space.start()));
        }
        damaged.damage(partition(), KeyRange.prefix(KeySpace.PARTITION_STATE.start()));

        var report = copyReadable();

        assertThat(report.lost()).isEmpty();
        assertThat(items(copy)).isEqualTo(items(original));
    }

    @Test
    void whoCannotBeNamedIsNotPassedOverInSilence() {
        fill(1);
        damaged.damage(partition(), between(rows(original, partition(), KeySpace.ITEM), 3, 6));
        damaged.damage(partition(), KeyRange.prefix(KeySpace.LOG.start()));
        damaged.damage(partition(), KeyRange.prefix(KeySpace.DOCUMENT.start()));

        var report = copyReadable();

        assertThat(report.lost())
                .extracting(StoreCheck.Finding::law)
                .anySatisfy(law -> assertThat(law).contains("cannot be named"));
        assertThat(items(copy).size()).isEqualTo(items(original).size() - 3);
    }

    @Test
    void aCatalogThatCannotBeReadIsSaidToBeLost() {
        fill(1);
        damaged.damage(new PartitionId(0), KeyRange.prefix(KeySpace.RESOURCE.start()));

        var report = copyReadable();

        assertThat(report.containers()).isZero();
        assertThat(report.lost())
                .extracting(StoreCheck.Finding::law)
                .anySatisfy(law -> assertThat(law).contains("all its items"));
    }

    @Test
    void itemsAreAsTheyWereAtTheMoment() {
        var moments = fill(2);
        for (int round = 0; round < 5; round++) {
            int second = random.nextInt(moments.size());
            try (var past = new MemoryStore()) {
                var report = StoreCopy.asOf(original, past, START.plusSeconds(second), (done, all) -> {});

                assertThat(report.lost()).isEmpty();
                assertThat(items(past)).isEqualTo(moments.get(second));
                assertThat(StoreCheck.run(past, (done, all) -> {}).findings()).isEmpty();
            }
        }
    }

    @Test
    void aMomentThatTheLogHasForgottenIsRefused() {
        try (var database = TestDatabase.withContainer(original, DEFINITION, 400)) {
            database.upsertItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"n\":1}");
            database.passSeconds(5);
            database.upsertItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"n\":2}");
            database.passSeconds(3600);
            database.trimLogs();
        }

        assertThatThrownBy(() -> StoreCopy.asOf(original, copy, START.plusSeconds(1), (done, all) -> {}))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("All versions are kept from 2026-01-01T00:00:05Z on");
        assertThat(copy.partitions()).isEmpty();
    }

    @Test
    void aMomentWithWritesThatTheRegionsHaveNotSettledIsRefused() {
        fill(1);
        var range = partition();
        long first = WriterSlot.firstLsn(WriterSlot.of(1));
        put(Partitions.frontId(range), 1, unsettled(range, first + 1, 10), unsettled(range, first + 2, 20));

        assertThatThrownBy(() -> StoreCopy.asOf(original, copy, START.plusSeconds(15), (done, all) -> {}))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the regions had not settled 1 writes");
        assertThat(copy.partitions()).isEmpty();
        try (var past = new MemoryStore()) {
            assertThat(StoreCopy.asOf(original, past, START.plusSeconds(5), (done, all) -> {})
                            .containers())
                    .as("before any of them was made")
                    .isEqualTo(1);
        }
        put(range, 2, new Mutation.Put(Frontier.key(WriterSlot.of(1)), Frontier.encode(new LogKey(first + 1, 0))));
        assertThat(StoreCopy.asOf(original, copy, START.plusSeconds(15), (done, all) -> {})
                        .containers())
                .as("when the first was settled")
                .isEqualTo(1);
    }

    @Test
    void writesThatTheRegionsHaveNotSettledAreNamedWhenAStoreIsSaved() {
        fill(1);
        var range = partition();
        put(Partitions.frontId(range), 1, unsettled(range, WriterSlot.firstLsn(WriterSlot.of(1)) + 1, 10));

        assertThat(StoreCopy.ofReadable(original, copy, (done, all) -> {}).lost())
                .singleElement()
                .extracting(StoreCheck.Finding::law)
                .isEqualTo("1 writes of this region that the regions had not settled yet");
    }

    /** A write of a region, an item that it deleted. */
    private Mutation unsettled(PartitionId range, long lsn, int second) {
        var write = new Tentative(
                new LogKey(lsn, 0),
                START.getEpochSecond() + second,
                Optional.of("base"),
                Optional.empty(),
                ItemKey.decode(rows(original, range, KeySpace.ITEM).getFirst()),
                Optional.empty());
        return new Mutation.Put(write.rowKey(), write.encode());
    }

    private void put(PartitionId id, int nonce, Mutation... rows) {
        try (var partition = original.open(id, 1)) {
            assertThat(partition.commit(new Commit(
                            new CommitId(nonce, nonce), partition.lsn(), partition.lsn() + 1, List.of(rows))))
                    .isEqualTo(CommitResult.COMMITTED);
        }
    }

    private StoreCopy.Report copyReadable() {
        var report = StoreCopy.ofReadable(
                damaged, copy, (done, all) -> assertThat(done).isLessThanOrEqualTo(all));
        if (report.containers() > 0) {
            assertThat(StoreCheck.run(copy, (done, all) -> {}).findings()).isEmpty();
        }
        return report;
    }

    /** Creates, changes and deletes items at random, for a minute; returns what was there at the end of each second. */
    private List<Map<String, String>> fill(int ranges) {
        var moments = new ArrayList<Map<String, String>>();
        try (var database = TestDatabase.withContainer(original, DEFINITION, ranges * 10_000)) {
            for (int second = 0; second < 60; second++) {
                database.setTime(START.plusSeconds(second));
                for (int i = 0; i < 5; i++) {
                    var partition = "p" + random.nextInt(10);
                    var id = "i" + random.nextInt(20);
                    if (random.nextInt(4) == 0) {
                        database.deleteItem(partition, id);
                    } else {
                        database.upsertItem(
                                partition,
                                "{\"id\":\"%s\",\"pk\":\"%s\",\"mail\":\"%s\",\"n\":[%d,{\"deep\":%s}]}"
                                        .formatted(id, partition, id, random.nextInt(), random.nextBoolean()));
                    }
                }
                moments.add(items(original));
            }
        }
        return moments;
    }

    private PartitionId partition() {
        return original.partitions().getLast();
    }

    private static KeyRange between(List<byte[]> keys, int from, int to) {
        return new KeyRange(keys.get(from), keys.get(to));
    }

    private static String name(byte[] key) {
        var item = ItemKey.decode(key);
        return item.partition().key().header() + item.id();
    }

    /** The texts of all items, by partition key and id. */
    private static Map<String, String> items(Store store) {
        var items = new TreeMap<String, String>();
        for (var id : store.partitions()) {
            rows(store, id, KeySpace.ITEM).forEach(key -> {
                try (var partition = store.open(id, 1)) {
                    var json = StoredItem.decode(partition.get(key)).json();
                    items.put(name(key), StandardCharsets.UTF_8.decode(json).toString());
                }
            });
        }
        return items;
    }

    private static List<byte[]> rows(Store store, PartitionId id, KeySpace space) {
        var rows = new ArrayList<byte[]>();
        try (var partition = store.open(id, 1);
                var snapshot = partition.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                rows.add(cursor.key());
            }
        }
        return rows;
    }
}
