package dev.orrery.engine.hub;

import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** What becomes of the writes of two regions that do not know of each other. */
class SettlingTest {
    private static final String RULED = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,
         "conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/n"}}
        """;
    private static final String PEOPLE = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"conflictResolutionPolicy":{"mode":"Custom"}}
        """;
    private static final String UNIQUE = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/name"]}]}}
        """;

    private static String filler(int characters) {
        return "\"v\":\"" + "x".repeat(characters) + "\"";
    }

    // ---- what the hub cannot store as it is ----

    @Test
    void whatRegionsHaveFilledTogetherIsSettledAndOnlyClientsAreRefused() {
        var setting =
                new WritingScene.Setting(MemoryStore::new, ScriptRunner.none(), MemoryBudget.unlimited(), 5_000_000);
        try (var scene = new WritingScene(RULED, setting)) {
            // More than the hub is offered at once: it measures the partition after the first of it.
            for (int i = 0; i < 40; i++) {
                scene.hub.create("w" + i, filler(100_000));
                scene.satellite.create("n" + i, filler(100_000));
            }
            scene.agree();
            assertThat(scene.satellite.items()).hasSize(80);
            // The first one has the partition measured.
            scene.satellite.attempt(new ItemWrite.Upsert(WritingScene.item("more", filler(9)), Precondition.NONE));
            var refused = scene.satellite.attempt(
                    new ItemWrite.Upsert(WritingScene.item("much", filler(9_000)), Precondition.NONE));
            assertThat(refused.answer())
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            answer -> assertThat(answer.failure()).isInstanceOf(Failure.PartitionFull.class));
            scene.agree();
        }
    }

    @Test
    void aConflictsFeedThatIsFullKeepsOnlyItsOwnContainerWaitingAndNothingIsLost() {
        // Of the memory for requests, a fourth is for what describes the account.
        var setting = new WritingScene.Setting(
                MemoryStore::new,
                ScriptRunner.none(),
                new MemoryBudget(4 << 20, 0),
                Limits.LOGICAL_PARTITION_BYTES_MAX);
        try (var scene = new WritingScene(PEOPLE, setting)) {
            var other = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "other");
            scene.hub.make(
                    ResourceKind.CONTAINER,
                    TestDatabase.DATABASE,
                    "{\"id\":\"other\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
            scene.satellite.follow();
            int conflicts = 40;
            for (int i = 0; i < conflicts; i++) {
                scene.hub.create("i" + i, "");
                scene.satellite.create("i" + i, filler(40_000));
            }
            while (scene.hub.offer() > 0) {
                scene.satellite.follow();
            }
            offerAll(scene);
            assertThat(scene.hub.conflicts()).hasSizeBetween(1, conflicts - 1);

            scene.satellite.attempt(other, new ItemWrite.Create(WritingScene.item("there", ""), Precondition.NONE));
            offerAll(scene);
            assertThat(scene.hub.has(other, "there")).isTrue();

            int seen = 0;
            while (scene.satellite.fronts.pending() > 0) {
                for (var conflict : scene.hub.conflicts()) {
                    scene.hub.execute(new Operation.DeleteResource(
                            TestDatabase.CONTAINER.child(ResourceKind.CONFLICT, text(conflict, "id")),
                            Precondition.NONE));
                    seen++;
                }
                offerAll(scene);
            }
            assertThat(seen + scene.hub.conflicts().size()).isEqualTo(conflicts);
            scene.agree();
        }
    }

    /** More often than there are conflicts: each time the hub may have come to one that it cannot keep. */
    private static void offerAll(WritingScene scene) {
        for (int i = 0; i < 45; i++) {
            scene.satellite.offer();
            scene.satellite.follow();
        }
    }

    // ---- unique keys ----

    @Test
    void whatFollowsOnAnItemThatLostItsUniqueKeyIsTakenOnceNothingIsInItsWay() {
        try (var scene = new WritingScene(UNIQUE)) {
            scene.hub.create("west", "\"name\":\"a\"");
            scene.satellite.create("north", "\"name\":\"a\",\"n\":1");
            scene.satellite.replace("north", "\"name\":\"a\",\"n\":2");
            scene.satellite.replace("north", "\"name\":\"b\",\"n\":3");
            scene.satellite.patch("north", "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]");
            scene.hub.offer();
            scene.agree();
            assertThat(scene.hub.items()).containsOnlyKeys("west", "north");
            assertThat(scene.hub.n("north")).isEqualTo(4);
            assertThat(scene.hub.losers())
                    .extracting(loser -> loser.member("n").toString())
                    .hasSize(2)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void whatFollowsOnAnItemThatLostItsUniqueKeyIsKeptWhileThatIsTaken() {
        try (var scene = new WritingScene(UNIQUE)) {
            scene.hub.create("west", "\"name\":\"a\"");
            scene.satellite.create("north", "\"name\":\"a\"");
            scene.satellite.patch("north", "[{\"op\":\"set\",\"path\":\"/n\",\"value\":1}]");
            scene.hub.offer();
            scene.agree();
            assertThat(scene.hub.items()).containsOnlyKeys("west");
            assertThat(scene.hub.losers()).hasSize(2);
        }
    }

    // ---- deletes ----

    @Test
    void whereThereIsARuleADeleteWinsOverAllThatIsMadeOfTheItemMeanwhile() {
        try (var scene = new WritingScene(RULED)) {
            scene.hub.create("x", "\"n\":1");
            scene.agree();
            scene.hub.delete("x");
            scene.satellite.replace("x", "\"n\":2");
            scene.satellite.replace("x", "\"n\":3");
            scene.hub.offer();
            scene.agree();
            assertThat(scene.hub.items()).isEmpty();
            assertThat(scene.hub.conflicts()).isEmpty();
        }
    }

    @Test
    void wherePeopleSettleConflictsTheyAreShownWhatADeleteRemoved() {
        try (var scene = new WritingScene(PEOPLE)) {
            scene.hub.create("x", "\"n\":1");
            scene.agree();
            scene.hub.replace("x", "\"n\":2");
            scene.satellite.delete("x");
            scene.hub.offer();
            scene.agree();
            assertThat(scene.satellite.items()).isEmpty();
            assertThat(scene.hub.conflicts()).singleElement().satisfies(conflict -> {
                assertThat(text(conflict, "sourceRegion")).isEqualTo("West US");
                assertThat(text(conflict, "operationType")).isEqualTo("replace");
            });
            assertThat(scene.hub.losers())
                    .singleElement()
                    .satisfies(loser -> assertThat(loser.member("n").toString()).contains("2"));
        }
    }

    // ---- time to live ----

    @Test
    void whatWasRenewedInTimeSurvivesThoughTheHubHasRemovedIt() {
        try (var scene = new WritingScene(RULED)) {
            scene.hub.create("kept", "\"ttl\":100,\"n\":1");
            scene.hub.create("changed", "\"ttl\":100,\"n\":1");
            scene.hub.create("beaten", "\"ttl\":100,\"n\":1");
            scene.hub.create("gone", "\"ttl\":100,\"n\":1");
            scene.agree();
            scene.passSeconds(50);
            for (var id : scene.hub.items().keySet()) {
                scene.satellite.replace(id, "\"ttl\":1000,\"n\":5");
            }
            scene.satellite.patch("kept", "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]");
            scene.hub.replace("changed", "\"ttl\":40,\"n\":4");
            scene.hub.replace("beaten", "\"ttl\":40,\"n\":6");
            scene.hub.delete("gone");
            scene.hub.offer();
            scene.passSeconds(60);
            scene.hub.tick();
            assertThat(scene.hub.items()).isEmpty();

            scene.agree();
            assertThat(scene.hub.items()).containsOnlyKeys("kept", "changed");
            assertThat(scene.hub.n("kept")).isEqualTo(6);
            assertThat(scene.hub.n("changed")).isEqualTo(5);
        }
    }

    @Test
    void whatWasDeletedSinceItHadExpiredStaysDeleted() {
        try (var scene = new WritingScene(RULED)) {
            scene.hub.create("x", "\"ttl\":100,\"n\":1");
            scene.agree();
            scene.passSeconds(50);
            scene.satellite.replace("x", "\"ttl\":1000,\"n\":2");
            scene.passSeconds(60);
            scene.hub.tick();
            scene.hub.create("x", "\"n\":3");
            scene.hub.delete("x");
            scene.hub.offer();
            scene.agree();
            assertThat(scene.hub.items()).isEmpty();
        }
    }

    @Test
    void allCopiesKnowWhatHasExpiredForAsLongAsTheLogTellsOfIt() {
        try (var scene = new WritingScene(RULED)) {
            scene.hub.create("x", "\"ttl\":100");
            scene.hub.create("y", "\"ttl\":100");
            scene.agree();
            scene.passSeconds(110);
            scene.hub.tick();
            scene.agree();
            assertThat(scene.hub.rowsOf(KeySpace.EXPIRED)).isEqualTo(2);
            assertThat(scene.satellite.rowsOf(KeySpace.EXPIRED)).isEqualTo(2);
            scene.hub.create("x", "");
            scene.agree();
            assertThat(scene.satellite.rowsOf(KeySpace.EXPIRED)).isEqualTo(1);
            scene.passSeconds(Retention.DEFAULT.byDefault().toSeconds() + 1);
            scene.hub.tick();
            scene.satellite.tick();
            assertThat(scene.hub.rowsOf(KeySpace.EXPIRED)).isZero();
            assertThat(scene.satellite.rowsOf(KeySpace.EXPIRED)).isZero();
        }
    }

    // ---- patches ----

    @Test
    void theConditionOfAPatchIsLookedAtAgainWhereItIsDoneAgain() {
        var start = "{\"condition\":\"from c where c.status = 'open'\",\"operations\":"
                + "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":10}]}";
        try (var scene = new WritingScene(RULED)) {
            for (var id : new String[] {"open", "closed"}) {
                scene.hub.create(id, "\"status\":\"open\",\"n\":1");
            }
            scene.agree();
            scene.hub.replace("open", "\"status\":\"open\",\"n\":2");
            scene.hub.replace("closed", "\"status\":\"closed\",\"n\":2");
            scene.satellite.patch("open", start);
            scene.satellite.patch("closed", start);
            scene.hub.offer();
            scene.agree();
            assertThat(scene.satellite.n("open")).isEqualTo(12);
            assertThat(scene.satellite.n("closed")).isEqualTo(2);
            assertThat(scene.satellite.items().get("closed").member("status")).isEqualTo(new Str("closed"));
            assertThat(scene.hub.losers())
                    .singleElement()
                    .satisfies(loser -> assertThat(loser.member("id")).isEqualTo(new Str("closed")));
        }
    }
}
