package dev.orrery.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the database writes holds together, and whatever is taken away or added is noticed. */
class StoreCheckTest {
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":-1,"
            + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/mail\"]}]}}";

    private final MemoryStore store = new MemoryStore();
    private long commits;

    @Test
    void whateverHappenedTheRowsAgree() {
        fill(3);

        var report = StoreCheck.run(store, (done, all) -> assertThat(done).isLessThanOrEqualTo(all));

        assertThat(report.findings()).isEmpty();
        assertThat(report.containers()).isEqualTo(1);
        assertThat(report.items()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCUMENT", "INDEX", "OUTLINE", "UNIQUE", "EXPIRY", "LOG"})
    void aMissingRowIsFound(KeySpace space) {
        fill(1);
        change(new Mutation.Delete(rows(space).getLast()));

        assertFound(space == KeySpace.LOG ? "in the log" : "lacks a row of " + space);
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCUMENT", "INDEX", "UNIQUE", "EXPIRY"})
    void aRowTooManyIsFound(KeySpace space) {
        fill(1);
        change(new Mutation.Put(neighbour(rows(space)), new byte[] {1}));

        assertFound("rows of " + space + " belong to no item");
    }

    @ParameterizedTest
    @EnumSource(names = {"DOCUMENT", "INDEX", "UNIQUE"})
    void aRowThatSaysSomethingElseIsFound(KeySpace space) {
        fill(1);
        change(new Mutation.Put(rows(space).getFirst(), new byte[] {1, 2, 3}));

        assertFound("a row of " + space + " that says something else");
    }

    @ParameterizedTest
    @EnumSource(names = {"ITEM", "LOG", "VERSION"})
    void aRowThatCannotBeReadIsFound(KeySpace space) {
        fill(1);
        change(new Mutation.Put(rows(space).getLast(), new byte[] {99}));

        assertFound("a row of " + space + " is not what was written");
    }

    @Test
    void aWrongCountIsFound() {
        fill(1);
        change(new Mutation.Put(
                PartitionState.key(), PartitionState.EMPTY.plus(1, 1).encode()));

        assertFound("and thinks it has 1 of 1");
    }

    @Test
    void anItemThatIsGoneAloneIsFound() {
        fill(1);
        change(new Mutation.Delete(rows(KeySpace.ITEM).getFirst()));

        assertFound("belong to no item");
    }

    @Test
    void aCatalogThatCannotBeReadIsFound() {
        fill(1);
        change(Catalog.ACCOUNT_PARTITION, new Mutation.Put(new byte[] {KeySpace.RESOURCE.tag(), 1}, new byte[] {'{'}));

        assertThat(StoreCheck.run(store, (done, all) -> {}).findings())
                .singleElement()
                .extracting(StoreCheck.Finding::place)
                .isEqualTo("catalog");
    }

    private void assertFound(String law) {
        assertThat(StoreCheck.run(store, (done, all) -> {}).findings())
                .extracting(StoreCheck.Finding::law)
                .anySatisfy(found -> assertThat(found).contains(law));
    }

    /** Creates, changes and deletes items at random. */
    private void fill(int ranges) {
        var random = Seed.random();
        try (var database = TestDatabase.withContainer(store, DEFINITION, ranges * 6_000)) {
            for (int i = 0; i < 300; i++) {
                var partition = "p" + random.nextInt(10);
                var id = "i" + random.nextInt(20);
                if (random.nextInt(4) == 0
                        && i < 299) { // So that the last change in the log is of an item that is there.
                    database.deleteItem(partition, id);
                } else {
                    database.upsertItem(
                            partition,
                            "{\"id\":\"%s\",\"pk\":\"%s\",\"mail\":\"%s-%d\",\"ttl\":%d,\"n\":[%d,{\"deep\":%s}]}"
                                    .formatted(
                                            id,
                                            partition,
                                            id,
                                            random.nextInt(3),
                                            1000 + random.nextInt(1000),
                                            random.nextInt(),
                                            random.nextBoolean()));
                }
            }
        }
    }

    private PartitionId partition() {
        return store.partitions().getLast();
    }

    /** A key like the first one, but of no row that is there. */
    private static byte[] neighbour(List<byte[]> rows) {
        byte[] key = rows.getFirst().clone();
        do {
            key[key.length - 1]++;
        } while (rows.stream().anyMatch(row -> Arrays.equals(row, key)));
        return key;
    }

    private List<byte[]> rows(KeySpace space) {
        var rows = new ArrayList<byte[]>();
        try (var partition = store.open(partition(), 1);
                var snapshot = partition.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                rows.add(cursor.key());
            }
        }
        assertThat(rows).isNotEmpty();
        return rows;
    }

    private void change(Mutation mutation) {
        change(partition(), mutation);
    }

    private void change(PartitionId id, Mutation mutation) {
        try (var partition = store.open(id, 1)) {
            var commit =
                    new Commit(new CommitId(-1, ++commits), partition.lsn(), partition.lsn() + 1, List.of(mutation));
            assertThat(partition.commit(commit)).isEqualTo(CommitResult.COMMITTED);
        }
    }
}
