package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.json;
import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.SessionToken;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemsTest {
    @Test
    void anItemReadsBackAsItWasWrittenWithSystemPropertiesBehind() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            database.createItem("p", "{\"b\": 1.50, \"id\":\"1\", \"pk\":\"p\", \"a\":[1e2]}");

            var resource = (Answer.Resource) database.readItem("p", "1").answer();

            assertThat(new String(
                            resource.json().array(),
                            resource.json().arrayOffset(),
                            resource.json().remaining(),
                            StandardCharsets.UTF_8))
                    .startsWith("{\"b\": 1.50, \"id\":\"1\", \"pk\":\"p\", \"a\":[1e2]")
                    .contains(
                            "\"_rid\":",
                            "\"_self\":",
                            "\"_etag\":",
                            "\"_ts\":1767225600",
                            "\"_attachments\":\"attachments/\"");
        }
    }

    @Test
    void everythingIsThereAfterReopening() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            var written = json(database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\"}"));
            database.reopen();

            assertThat(json(database.readItem("p", "1"))).isEqualTo(written);
            assertThat(refusal(database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\"}")))
                    .isInstanceOf(Failure.Conflict.class);
            var second = json(database.createItem("p", "{\"id\":\"2\",\"pk\":\"p\"}"));
            assertThat(text(second, "_rid")).isNotEqualTo(text(written, "_rid"));
        }
    }

    @Test
    void theSameIdMayStandInTwoLogicalPartitions() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"v\":1}");
            database.createItem("q", "{\"id\":\"1\",\"pk\":\"q\",\"v\":2}");

            assertThat(json(database.readItem("q", "1")).member("v")).isEqualTo(new Num(2));
        }
    }

    @Test
    void aReplaceWithAStaleEtagIsRefusedAndChangesNothing() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            var first = database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"v\":1}");
            database.upsertItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"v\":2}");

            var stale = new Precondition(first.facts().etag(), Optional.empty());
            var refused = database.write(
                    "p", new ItemWrite.Replace("1", bytes("{\"id\":\"1\",\"pk\":\"p\",\"v\":3}"), stale));

            assertThat(refusal(refused)).isInstanceOf(Failure.PreconditionFailed.class);
            assertThat(json(database.readItem("p", "1")).member("v")).isEqualTo(new Num(2));
        }
    }

    @Test
    void aReplacementMayHaveAnotherId() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"v\":1}");
            database.createItem("p", "{\"id\":\"taken\",\"pk\":\"p\"}");

            var taken = bytes("{\"id\":\"taken\",\"pk\":\"p\"}");
            assertThat(refusal(database.write("p", new ItemWrite.Replace("1", taken, Precondition.NONE))))
                    .isInstanceOf(Failure.Conflict.class);
            assertThat(json(database.readItem("p", "1")).member("v")).isEqualTo(new Num(1));

            var free = bytes("{\"id\":\"2\",\"pk\":\"p\",\"v\":2}");
            assertThat(json(database.write("p", new ItemWrite.Replace("1", free, Precondition.NONE)))
                            .member("v"))
                    .isEqualTo(new Num(2));
            assertThat(refusal(database.readItem("p", "1"))).isInstanceOf(Failure.NotFound.class);
            assertThat(json(database.readItem("p", "2")).member("v")).isEqualTo(new Num(2));
        }
    }

    @Test
    void theBodyMustHaveThePartitionKeyOfTheRequest() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            assertThat(refusal(database.createItem("q", "{\"id\":\"1\",\"pk\":\"p\"}")))
                    .isInstanceOf(Failure.PartitionKeyMismatch.class);
        }
    }

    @Test
    void aBatchThatFailsHalfWayChangesNothing() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            database.createItem("p", "{\"id\":\"taken\",\"pk\":\"p\"}");

            var results = batch(database, create("new"), create("taken"), create("never"));

            assertThat(results)
                    .extracting(result -> result.answer().getClass().getSimpleName())
                    .containsOnly("Refused");
            assertThat(failure(results.get(0))).isInstanceOf(Failure.FailedDependency.class);
            assertThat(failure(results.get(1))).isInstanceOf(Failure.Conflict.class);
            assertThat(refusal(database.readItem("p", "new"))).isInstanceOf(Failure.NotFound.class);
        }
    }

    @Test
    void aBatchOverTwoPartitionsIsRefusedAsAWhole() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            var here = batchOf(create("1"));
            var elsewhere = new BatchItem(create("2"), Optional.of(PartitionKey.parse("[\"elsewhere\"]")), false);
            var items = List.of(here.items().getFirst(), elsewhere);
            var outcome =
                    database.execute(new Operation.Batch(TestDatabase.CONTAINER, here.scope(), items, true, false));

            assertThat(refusal(outcome)).isInstanceOf(Failure.BadRequest.class);
            assertThat(refusal(database.readItem("p", "1"))).isInstanceOf(Failure.NotFound.class);
        }
    }

    @Test
    void aBatchSeesItsOwnWritesAndCommitsThemUnderOneLsn() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            long before = database.createItem("p", "{\"id\":\"0\",\"pk\":\"p\"}")
                    .facts()
                    .lsn()
                    .orElseThrow();

            var outcome =
                    database.execute(batchOf(create("1"), new BatchAction.Read("1", Precondition.NONE), create("2")));

            assertThat(((Answer.Batch) outcome.answer()).results())
                    .noneMatch(result -> result.answer() instanceof Answer.Refused);
            assertThat(outcome.facts().lsn()).contains(before + 1);
        }
    }

    @Test
    void aReadInABulkRequestSeesTheWriteBeforeIt() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            var items = new ArrayList<BatchItem>();
            for (int i = 0; i < 50; i++) {
                items.add(new BatchItem(create("" + i), Optional.of(TestDatabase.key("p")), false));
                items.add(new BatchItem(
                        new BatchAction.Read("" + i, Precondition.NONE), Optional.of(TestDatabase.key("p")), false));
            }
            var outcome = database.execute(new Operation.Batch(TestDatabase.CONTAINER, Scope.ALL, items, false, true));

            assertThat(((Answer.Batch) outcome.answer()).results())
                    .noneMatch(result -> result.answer() instanceof Answer.Refused);
        }
    }

    @Test
    void aUniqueKeyHoldsWithinItsLogicalPartition() throws Exception {
        var definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},"
                + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/mail\",\"/a/b\"]}]}}";
        try (var database = TestDatabase.withContainer(definition, 400)) {
            database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"mail\":\"x\",\"a\":{\"b\":1}}");

            var same = "{\"id\":\"2\",\"pk\":\"p\",\"mail\":\"x\",\"a\":{\"b\":1.0}}";
            assertThat(refusal(database.createItem("p", same))).isInstanceOf(Failure.Conflict.class);
            json(database.createItem("q", same.replace("\"p\"", "\"q\"")));

            json(database.upsertItem("p", "{\"id\":\"1\",\"pk\":\"p\",\"mail\":\"y\"}"));
            json(database.createItem("p", same));
            database.deleteItem("p", "1");
            json(database.createItem("p", "{\"id\":\"3\",\"pk\":\"p\",\"mail\":\"y\"}"));
        }
    }

    @Test
    void anItemIsHiddenTheMomentItsTimeToLiveEnds() throws Exception {
        var definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":10,"
                + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/mail\"]}]}}";
        try (var database = TestDatabase.withContainer(definition, 400)) {
            database.createItem("p", "{\"id\":\"default\",\"pk\":\"p\",\"mail\":\"x\"}");
            database.createItem("p", "{\"id\":\"never\",\"pk\":\"p\",\"mail\":\"y\",\"ttl\":-1}");
            database.createItem("p", "{\"id\":\"short\",\"pk\":\"p\",\"mail\":\"z\",\"ttl\":2}");

            database.passSeconds(2);
            assertThat(refusal(database.readItem("p", "short"))).isInstanceOf(Failure.NotFound.class);
            json(database.readItem("p", "default"));
            database.passSeconds(8);
            assertThat(database.query("SELECT VALUE c.id FROM c", Scope.ALL, 1)).containsExactly(new Str("never"));
            json(database.createItem("p", "{\"id\":\"other\",\"pk\":\"p\",\"mail\":\"x\"}"));
            assertThat(database.createItem("p", "{\"id\":\"short\",\"pk\":\"p\",\"mail\":\"z\"}")
                            .answer())
                    .isInstanceOf(Answer.Resource.class);
        }
    }

    @Test
    void anItemMaySayItselfFromWhenOnItsTimeToLiveRuns() throws Exception {
        var definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":10,"
                + "\"ttlPropertyPath\":\"/made\"}";
        try (var database = TestDatabase.withContainer(definition, 400)) {
            database.setTime(Instant.ofEpochSecond(1_000));
            database.createItem("p", "{\"id\":\"old\",\"pk\":\"p\",\"made\":500}");
            database.createItem("p", "{\"id\":\"newer\",\"pk\":\"p\",\"made\":1004}");
            database.createItem("p", "{\"id\":\"newest\",\"pk\":\"p\",\"made\":1005}");
            database.createItem("p", "{\"id\":\"unsaid\",\"pk\":\"p\"}");

            assertThat(refusal(database.readItem("p", "old"))).isInstanceOf(Failure.NotFound.class);
            database.passSeconds(13);
            json(database.readItem("p", "newer"));
            database.passSeconds(1);
            assertThat(database.query("SELECT VALUE c.id FROM c", Scope.ALL, 1))
                    .containsExactlyInAnyOrder(new Str("newest"), new Str("unsaid"));

            // Before its end comes, after which it may be swept away at any moment.
            database.replaceContainer(definition.replace("/made", "/other"));
            database.passSeconds(1);
            json(database.readItem("p", "newest"));
        }
    }

    @Test
    void anItemIsFoundByItsRidOnlyInThePartitionThatIsNamed() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            var item = json(database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\"}"));
            var self = text(item, "_self").split("/", -1);
            var container =
                    Address.ACCOUNT.child(ResourceKind.DATABASE, self[1]).child(ResourceKind.CONTAINER, self[3]);

            assertThat(json(database.execute(read(container, self[5], Optional.empty()))))
                    .isEqualTo(item);
            assertThat(json(database.execute(read(container, self[5], Optional.of(TestDatabase.key("p"))))))
                    .isEqualTo(item);
            assertThat(refusal(database.execute(read(container, self[5], Optional.of(TestDatabase.key("other"))))))
                    .isInstanceOf(Failure.NotFound.class);
            var delete = new ItemWrite.Delete(self[5], Precondition.NONE);
            assertThat(refusal(database.execute(new Operation.WriteItem(
                            container, Optional.of(TestDatabase.key("other")), delete, Triggers.NONE))))
                    .isInstanceOf(Failure.NotFound.class);
        }
    }

    private static Operation read(Address container, String id, Optional<PartitionKey> partition) {
        return new Operation.ReadItem(container, id, partition, Precondition.NONE);
    }

    @Test
    void aSessionCountsOnlyWhereSessionsArePromised() throws Exception {
        try (var database = TestDatabase.withContainer()) {
            json(database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\"}"));
            var ahead = Optional.of(SessionToken.parse("0:-1#1000"));
            var read = read(TestDatabase.CONTAINER, "1", Optional.of(TestDatabase.key("p")));

            assertThat(refusal(database.execute(read, at(ahead, Optional.empty()))))
                    .isInstanceOf(Failure.SessionNotAvailable.class);
            assertThat(refusal(database.execute(read, at(ahead, Optional.of(ConsistencyLevel.SESSION)))))
                    .isInstanceOf(Failure.SessionNotAvailable.class);
            json(database.execute(read, at(ahead, Optional.of(ConsistencyLevel.CONSISTENT_PREFIX))));
            json(database.execute(read, at(ahead, Optional.of(ConsistencyLevel.EVENTUAL))));
        }
    }

    private static Caller at(Optional<SessionToken> session, Optional<ConsistencyLevel> level) {
        return new Caller(new Principal.Owner(), session, level, Caller.Intended.ANYTHING, Caller.Spending.FREELY);
    }

    private static Operation.Batch batchOf(BatchAction... actions) {
        var items = List.of(actions).stream()
                .map(action -> new BatchItem(action, Optional.empty(), false))
                .toList();
        var scope = new Scope(Optional.empty(), Optional.of(TestDatabase.key("p")), Optional.empty());
        return new Operation.Batch(TestDatabase.CONTAINER, scope, items, true, false);
    }

    private static List<Outcome.BatchResult> batch(TestDatabase database, BatchAction... actions) {
        return ((Answer.Batch) database.execute(batchOf(actions)).answer()).results();
    }

    private static BatchAction create(String id) {
        var body = Obj.builder().put("id", id).put("pk", "p").build();
        return new BatchAction.Write(new ItemWrite.Create(bytes(body.toString()), Precondition.NONE));
    }

    private static Failure failure(Outcome.BatchResult result) {
        return ((Answer.Refused) result.answer()).failure();
    }

    static Failure refusal(Outcome outcome) {
        if (!(outcome.answer() instanceof Answer.Refused(var failure))) {
            throw new AssertionError("Not refused: " + outcome);
        }
        return failure;
    }
}
