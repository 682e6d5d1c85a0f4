package dev.orrery.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Whoever asks a database that follows another is told what the other one tells: items, queries and change feeds, whatever
 * has happened. Ranges are split, logs are shortened and both are started anew in between.
 */
class ReplicaLawTest {
    private static final String DEFINITION = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,\
        "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]}}\
        """;
    private static final int PARTITIONS = 12;
    private static final int SPLIT_UNITS = 10_000;
    private static final long RETENTION_SECONDS = 600;
    private static final int QUESTIONS_MAX = 100;

    private final RandomGenerator random = Seed.random();
    private int requestUnits = 400;
    private int step;

    @Test
    void aDatabaseThatFollowsTellsWhatTheOtherTells() {
        try (var source = TestDatabase.withContainer(new MemoryStore(), DEFINITION, requestUnits);
                var copy = TestDatabase.empty()) {
            follows(copy);
            for (int round = 0; round < 25; round++) {
                for (int i = 0; i < 40; i++) {
                    live(source);
                }
                if (round % 8 == 4) {
                    requestUnits += SPLIT_UNITS;
                    source.setThroughput(requestUnits);
                }
                happen(source, copy);
                follow(copy, source, 1 + random.nextInt(3_000));
            }
            // From here on nothing is forgotten, so that all versions can be read.
            follow(copy, source);
            var place = place(source);
            for (int i = 0; i < 100; i++) {
                live(source);
            }
            source.replica().stepDown("Nothing more happens");
            follow(copy, source);
            copy.setTime(source.time());

            assertThat(copy.ranges()).hasSizeGreaterThan(2).isEqualTo(source.ranges());
            assertSameItems(copy, source);
            for (var mode : ChangeMode.values()) {
                assertThat(changes(copy, mode, place)).as("%s", mode).isEqualTo(changes(source, mode, place));
            }
            assertThat(changes(copy, ChangeMode.LATEST_VERSION, Optional.empty()))
                    .isEqualTo(changes(source, ChangeMode.LATEST_VERSION, Optional.empty()));
        }
    }

    /** Of a copy that was made of a log which had been shortened nobody may think that it tells all versions. */
    @Test
    void aCopyThatBeganLateSaysSoToReadersOfAllVersions() {
        try (var source = TestDatabase.withContainer(new MemoryStore(), DEFINITION, requestUnits);
                var copy = TestDatabase.empty()) {
            follows(copy);
            source.upsertItem("p0", item("i0", "p0", -1));
            var place = place(source);
            source.upsertItem("p0", item("i1", "p0", -1));
            source.deleteItem("p0", "i1");
            source.passSeconds(2 * RETENTION_SECONDS);
            source.trimLogs();
            follow(copy, source);

            assertThat(changes(copy, ChangeMode.ALL_VERSIONS, place))
                    .isEqualTo(changes(source, ChangeMode.ALL_VERSIONS, place))
                    .first()
                    .asString()
                    .contains("within the retention period");
        }
    }

    /** What was deleted and forgotten while a copy was being made must not live on in it. */
    @Test
    void aCopyBelowWhichTheLogIsShortenedBeginsAnew() {
        try (var source = TestDatabase.withContainer(new MemoryStore(), DEFINITION, requestUnits);
                var copy = TestDatabase.empty()) {
            follows(copy);
            for (int i = 0; i < 5; i++) {
                source.upsertItem("p0", item("i" + i, "p0", -1));
                source.upsertItem("p0", item("i" + i, "p0", -1));
            }
            source.passSeconds(2 * RETENTION_SECONDS);
            source.trimLogs();
            follow(copy, source, 1); // The first item, and no more.
            source.deleteItem("p0", "i0");
            source.upsertItem("p0", item("i1", "p0", -1));
            source.passSeconds(2 * RETENTION_SECONDS);
            source.trimLogs();
            follow(copy, source);

            copy.setTime(source.time());
            assertSameItems(copy, source);
        }
    }

    private void assertSameItems(TestDatabase copy, TestDatabase source) {
        var all = "SELECT * FROM c";
        assertThat(copy.query(all, Scope.ALL, 7)).isEqualTo(source.query(all, Scope.ALL, 7));
        var some = "SELECT VALUE c.id FROM c WHERE c.v > %d ORDER BY c.v DESC".formatted(step / 2);
        assertThat(copy.query(some, Scope.ALL, 7)).isEqualTo(source.query(some, Scope.ALL, 7));
    }

    // ---- what happens ----

    /** A copy takes no writes, and its own clock stands: nothing ends there that did not end at the source. */
    private static void follows(TestDatabase copy) {
        copy.replica().stepDown("This one follows");
    }

    private void happen(TestDatabase source, TestDatabase copy) {
        switch (random.nextInt(6)) {
            case 0 -> source.reopen();
            case 1 -> {
                copy.reopen();
                follows(copy);
            }
            case 2 -> {
                source.passSeconds(2 * RETENTION_SECONDS);
                source.trimLogs();
            }
            case 3 -> {
                var standing = copy.time();
                copy.setTime(source.time());
                copy.trimLogs();
                copy.setTime(standing);
            }
            default -> {}
        }
    }

    private void live(TestDatabase database) {
        step++;
        var partition = "p" + random.nextInt(PARTITIONS);
        switch (random.nextInt(12)) {
            case 0 -> database.passSeconds(random.nextInt(4));
            case 1 -> database.deleteItem(partition, id());
            case 2, 3 -> database.write(partition, patch());
            case 4 -> database.execute(batch(partition));
            case 5 -> {
                if (random.nextInt(5) == 0) {
                    database.execute(
                            new Operation.DeletePartition(TestDatabase.CONTAINER, TestDatabase.key(partition)));
                }
            }
            default -> database.upsertItem(partition, item(id(), partition, ttl()));
        }
    }

    private Operation batch(String partition) {
        var items = new ArrayList<BatchItem>();
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
            ItemWrite write = switch (random.nextInt(5)) {
                case 0 -> new ItemWrite.Delete(id(), Precondition.NONE);
                case 1 -> patch();
                case 2 -> new ItemWrite.Create(TestDatabase.bytes(item(id(), partition, ttl())), Precondition.NONE);
                default -> new ItemWrite.Upsert(TestDatabase.bytes(item(id(), partition, ttl())), Precondition.NONE);
            };
            items.add(new BatchItem(new BatchAction.Write(write), Optional.empty(), false));
        }
        var scope = new Scope(Optional.empty(), Optional.of(TestDatabase.key(partition)), Optional.empty());
        return new Operation.Batch(TestDatabase.CONTAINER, scope, items, true, random.nextInt(4) == 0);
    }

    private ItemWrite patch() {
        var operations =
                "[{\"op\":\"incr\",\"path\":\"/v\",\"value\":1},{\"op\":\"set\",\"path\":\"/ttl\",\"value\":%d}]"
                        .formatted(ttl());
        return new ItemWrite.Patch(id(), JsonPatch.parse(JsonReader.parse(operations)), Precondition.NONE);
    }

    private String id() {
        return "i" + random.nextInt(6);
    }

    private int ttl() {
        return random.nextInt(4) == 0 ? 1 + random.nextInt(30) : -1;
    }

    private String item(String id, String partition, int ttl) {
        return "{\"id\":\"%s\",\"pk\":\"%s\",\"v\":%d,\"mail\":\"%d\",\"ttl\":%d}"
                .formatted(id, partition, step, random.nextInt(10), ttl);
    }

    // ---- following ----

    private static void follow(TestDatabase copy, TestDatabase source) {
        for (int questions = 0; !isLevel(copy.replica(), source.replica()); questions++) {
            assertThat(questions)
                    .as("questions until there is nothing left to tell")
                    .isLessThan(QUESTIONS_MAX);
            follow(copy, source, Long.MAX_VALUE);
        }
    }

    /** One question and its answer; ranges are as far as they are. */
    private static void follow(TestDatabase copy, TestDatabase source, long bytesMax) {
        var here = copy.replica();
        var there = source.replica();
        here.follow(there.catalogAfter(here.catalogVersion()));
        for (var range : there.ranges()) {
            there.newsAfter(range, here.epochs(range).last(), here.lsn(range), bytesMax)
                    .ifPresent(news -> here.apply(news).join());
        }
    }

    private static boolean isLevel(Replica here, Replica there) {
        return Set.copyOf(here.ranges()).equals(Set.copyOf(there.ranges()))
                && there.ranges().stream().allMatch(range -> here.lsn(range) == there.lsn(range));
    }

    // ---- asking ----

    /** Where a reader of changes goes on who begins now. */
    private static Optional<String> place(TestDatabase database) {
        return ask(database, ChangeMode.LATEST_VERSION, Optional.of(ChangesWanted.NOW))
                .facts()
                .etag();
    }

    /** All pages behind a place, and where each of them leads; or what was refused. */
    private List<String> changes(TestDatabase database, ChangeMode mode, Optional<String> from) {
        var told = new ArrayList<String>();
        var after = from;
        while (true) {
            var outcome = ask(database, mode, after);
            after = outcome.facts().etag();
            if (outcome.answer() instanceof Answer.Refused(var failure)) {
                told.add(failure.toString());
                return told;
            }
            told.add(after.orElseThrow());
            if (outcome.answer() instanceof Answer.NotModified) {
                return told;
            }
            TestDatabase.rows(outcome).forEach(row -> told.add(row.toString()));
        }
    }

    private static Outcome ask(TestDatabase database, ChangeMode mode, Optional<String> after) {
        boolean wrapped = mode == ChangeMode.ALL_VERSIONS;
        return database.execute(new Operation.ReadChanges(
                TestDatabase.CONTAINER,
                Scope.ALL,
                new ChangesWanted(mode, after, Optional.empty(), wrapped, wrapped),
                Optional.of(13)));
    }
}
