package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.feed.Shipment;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The log of a range, applied elsewhere through a lane, makes the same range: items, numbers, indexes and log. */
class FollowerLawTest {
    private static final String DEFINITION = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,\
        "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]}}\
        """;
    private static final KeySpace[] OF_ITEMS = {
        KeySpace.ITEM, KeySpace.DOCUMENT, KeySpace.UNIQUE, KeySpace.EXPIRY, KeySpace.INDEX
    };
    private static final KeySpace[] ALL = {
        KeySpace.ITEM,
        KeySpace.DOCUMENT,
        KeySpace.UNIQUE,
        KeySpace.EXPIRY,
        KeySpace.INDEX,
        KeySpace.OUTLINE,
        KeySpace.LOG,
        KeySpace.VERSION
    };

    private final RandomGenerator random = Seed.random();
    private final Store source = new MemoryStore();
    private final Store copy = new MemoryStore();

    @Test
    void aCopyThatFollowsHasTheSameRows() throws Exception {
        try (var database = TestDatabase.withContainer(source, DEFINITION, 400)) {
            for (int round = 0; round < 30; round++) {
                live(database, 40);
                follow(1 + random.nextInt(30));
            }
        }
        follow(Integer.MAX_VALUE); // What the sweeper did last.

        assertThat(StoredRows.of(copy, range(), ALL)).isEqualTo(StoredRows.of(source, range(), ALL));
        assertSameState();
    }

    @Test
    void aCopyThatBeginsLateHasTheSameItemsAndFeed() throws Exception {
        try (var database = TestDatabase.withContainer(source, DEFINITION, 400)) {
            for (int round = 0; round < 10; round++) {
                live(database, 60);
                database.passSeconds(400);
                database.trimLogs();
            }
        }
        follow(7);

        assertThat(StoredRows.of(copy, range(), OF_ITEMS)).isEqualTo(StoredRows.of(source, range(), OF_ITEMS));
        assertSameState();
    }

    @Test
    void aCopyThatTakesOverGoesOnWithNewNumbers() throws Exception {
        try (var database = TestDatabase.withContainer(source, DEFINITION, 400)) {
            live(database, 200);
        }
        follow(Integer.MAX_VALUE);
        try (var catalog = Catalog.open(source, 77);
                var partitions = partitions(copy)) {
            var range = partitions.resolve(container(catalog).number(), 0);
            long before = range.lsn();
            long drawn = range.submit(unit -> {
                        long number = unit.nextDocument(0);
                        unit.put(new byte[] {KeySpace.VIEW_OWNER.tag()}, new byte[] {1});
                        return number;
                    })
                    .join()
                    .result();
            assertThat(range.lsn()).isEqualTo(before + 1);
            assertThat(drawn).isGreaterThan(lastDocument());
        }
    }

    /** But for how much of its log the copy itself has forgotten. */
    private void assertSameState() {
        var there = state(source);
        assertThat(state(copy).withForgotten(there.forgottenLsn(), there.forgottenSecond()))
                .isEqualTo(there);
    }

    /** The last count that an item of the source has in its number. */
    private long lastDocument() {
        long last = 0;
        try (var partition = source.open(range(), 1);
                var snapshot = partition.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(KeySpace.DOCUMENT.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                last = Math.max(last, DocumentKey.countOf(DocumentKey.decode(cursor.key())));
            }
        }
        return last;
    }

    private void live(TestDatabase database, int steps) {
        for (int step = 0; step < steps; step++) {
            var partition = "p" + random.nextInt(4);
            var id = "i" + random.nextInt(8);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> database.deleteItem(partition, id);
                case 3 -> database.passSeconds(random.nextInt(20));
                case 4 -> {
                    if (random.nextInt(30) == 0) {
                        database.reopen();
                    }
                }
                default -> {
                    int ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : -1;
                    database.upsertItem(
                            partition,
                            "{\"id\":\"%s\",\"pk\":\"%s\",\"v\":%d,\"mail\":\"%d\",\"ttl\":%d}"
                                    .formatted(id, partition, step, random.nextInt(12), ttl));
                }
            }
        }
    }

    /** Brings the copy up to what the source holds, and ends as a process would. */
    private void follow(int changesMax) {
        try (var catalog = Catalog.open(source, random.nextLong());
                var partitions = partitions(copy);
                var there = source.open(range(), 1);
                var snapshot = there.snapshot()) {
            var here = partitions.resolve(container(catalog).number(), 0);
            long last = PartitionState.of(snapshot).lsn();
            do {
                Shipment.read(snapshot, here.lsn(), changesMax)
                        .apply(here, container(catalog))
                        .join();
            } while (here.lsn() < last);
        }
    }

    private Partitions partitions(Store store) {
        return new Partitions(
                store,
                Runnable::run,
                InstantSource.fixed(Instant.EPOCH),
                new Random(random.nextLong()),
                new WriteRight(),
                MemoryBudget.unlimited(),
                Limits.LOGICAL_PARTITION_BYTES_MAX,
                Runnable::run);
    }

    private static Container container(Catalog catalog) {
        return catalog.containers().iterator().next();
    }

    private PartitionId range() {
        return source.partitions().getLast();
    }

    private PartitionState state(Store store) {
        try (var partition = store.open(range(), 1);
                var snapshot = partition.snapshot()) {
            return PartitionState.of(snapshot);
        }
    }
}
