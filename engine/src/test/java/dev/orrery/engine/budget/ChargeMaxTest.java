package dev.orrery.engine.budget;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.queryText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Priority;
import dev.orrery.engine.operation.Caller.Spending;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that say what they may cost: what costs more is refused, and nothing has come of it. */
class ChargeMaxTest {
    /** Creates an item wherever a script or trigger is run, and hands on the body it was given. */
    private static final class ItemCreator implements ScriptRunner {
        @Override
        public void check(String name, String body) {}

        @Override
        public ScriptResult run(ScriptCall call, ScriptHost host) {
            host.begin();
            host.perform(new ScriptHost.Operation.Create("{\"id\":\"by script\",\"pk\":\"p\"}"));
            return new ScriptResult(call.request(), Optional.empty(), "");
        }

        @Override
        public Functions functions() {
            throw new IllegalStateException("no functions here");
        }

        @Override
        public void expect() {}

        @Override
        public void close() {}
    }

    private final TestDatabase database = filled();

    private static TestDatabase filled() {
        var database = TestDatabase.withContainer(new ItemCreator());
        database.create(
                ResourceKind.STORED_PROCEDURE,
                CONTAINER,
                "{\"id\":\"s\",\"body\":\"function () {}\"}",
                Optional.empty());
        database.create(
                ResourceKind.TRIGGER,
                CONTAINER,
                "{\"id\":\"t\",\"body\":\"function () {}\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}",
                Optional.empty());
        for (int i = 0; i < 5; i++) {
            database.createItem("p", "{\"id\":\"" + i + "\",\"pk\":\"p\",\"n\":" + i + "}");
        }
        return database;
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** A kind of request, as its name says. */
    record Kind(String name, Operation operation) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        var partition = Optional.of(key("p"));
        var inPartition = new Scope(Optional.empty(), partition, Optional.empty());
        var newItem = bytes("{\"id\":\"new\",\"pk\":\"p\"}");
        var oldItem = bytes("{\"id\":\"1\",\"pk\":\"p\",\"n\":-1}");
        var create = new ItemWrite.Create(newItem, Precondition.NONE);
        var upsert = new ItemWrite.Upsert(oldItem, Precondition.NONE);
        var patch = JsonPatch.parse(JsonReader.parse(bytes("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]")));
        return Stream.of(
                new Kind("read", new Operation.ReadItem(CONTAINER, "1", partition, Precondition.NONE)),
                new Kind("create", write(create)),
                new Kind("upsert", write(upsert)),
                new Kind("replace", write(new ItemWrite.Replace("1", oldItem, Precondition.NONE))),
                new Kind("patch", write(new ItemWrite.Patch("1", patch, Precondition.NONE))),
                new Kind("delete", write(new ItemWrite.Delete("1", Precondition.NONE))),
                new Kind(
                        "create with trigger",
                        new Operation.WriteItem(CONTAINER, partition, create, new Triggers(List.of("t"), List.of()))),
                new Kind(
                        "stored procedure",
                        new Operation.ExecuteProcedure(CONTAINER, "s", partition, bytes("[]"), false)),
                new Kind(
                        "atomic batch",
                        new Operation.Batch(
                                CONTAINER,
                                inPartition,
                                List.of(
                                        entry(create),
                                        entry(upsert),
                                        entry(new ItemWrite.Delete("2", Precondition.NONE))),
                                true,
                                true)),
                new Kind("delete of a partition", new Operation.DeletePartition(CONTAINER, key("p"))),
                new Kind("feed", new Operation.ListItems(CONTAINER, inPartition, Page.FIRST)),
                new Kind(
                        "changes",
                        new Operation.ReadChanges(
                                CONTAINER,
                                Scope.ALL,
                                new ChangesWanted(
                                        ChangeMode.LATEST_VERSION, Optional.empty(), Optional.empty(), false, false),
                                Optional.empty())),
                new Kind(
                        "query",
                        new Operation.QueryItems(
                                CONTAINER,
                                inPartition,
                                queryText("SELECT * FROM c WHERE c.n > 1", Map.of()),
                                Page.FIRST,
                                Set.of())));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatCostsMoreIsRefusedAndNothingCameOfIt(Kind kind) {
        double price = price(kind);
        assertThat(price).isPositive();
        var before = items();

        var refused = database.execute(kind.operation(), upTo(price - 0.01));
        assertThat(refused.answer()).isInstanceOf(Answer.Refused.class);
        var failure = ((Answer.Refused) refused.answer()).failure();
        assertThat(failure).isInstanceOf(Failure.TooCostly.class);
        assertThat(WireStatus.of(failure).status()).isEqualTo(412);
        assertThat(failure.message()).contains(text(price)).contains(text(price - 0.01));
        assertThat(items()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatCostsJustThatIsCarriedOut(Kind kind) {
        double price = price(kind);
        var outcome = database.execute(kind.operation(), upTo(price));
        assertThat(outcome.answer()).isNotInstanceOf(Answer.Refused.class);
        assertThat(outcome.charge()).isEqualTo(price);
    }

    @Test
    void inBulkEachOperationIsForItself() {
        var partition = Optional.of(key("p"));
        var large = bytes("{\"id\":\"large\",\"pk\":\"p\",\"text\":\"" + "x".repeat(100_000) + "\"}");
        var small = bytes("{\"id\":\"small\",\"pk\":\"p\"}");
        var batch = new Operation.Batch(
                CONTAINER,
                Scope.ALL,
                List.of(
                        new BatchItem(
                                new BatchAction.Write(new ItemWrite.Create(large, Precondition.NONE)),
                                partition,
                                false),
                        new BatchItem(
                                new BatchAction.Write(new ItemWrite.Create(small, Precondition.NONE)),
                                partition,
                                false),
                        new BatchItem(new BatchAction.Read("1", Precondition.NONE), partition, false)),
                false,
                true);
        double most = price(new Kind("create", write(new ItemWrite.Create(small, Precondition.NONE))));
        var results = ((Answer.Batch) database.execute(batch, upTo(most)).answer()).results();
        assertThat(((Answer.Refused) results.getFirst().answer()).failure()).isInstanceOf(Failure.TooCostly.class);
        assertThat(results.stream().skip(1).map(BatchResult::answer)).hasOnlyElementsOfType(Answer.Resource.class);
        assertThat(database.readItem("p", "large").answer()).isInstanceOf(Answer.Refused.class);
        assertThat(database.readItem("p", "small").answer()).isInstanceOf(Answer.Resource.class);

        var reads = ((Answer.Batch) database.execute(batch, upTo(0.01)).answer()).results();
        assertThat(reads.stream().map(result -> ((Answer.Refused) result.answer()).failure()))
                .hasOnlyElementsOfTypes(Failure.TooCostly.class, Failure.Conflict.class);
        assertThat(reads)
                .as("what was done is paid")
                .allMatch(result -> result.bill().requestUnits() == 1);
    }

    @Test
    void aReadThatABatchFailsOnCostsWhatItDoesAlone() {
        var inPartition = new Scope(Optional.empty(), Optional.of(key("p")), Optional.empty());
        var missing = new BatchAction.Read("missing", Precondition.NONE);
        var batch = new Operation.Batch(
                CONTAINER, inPartition, List.of(new BatchItem(missing, Optional.empty(), false)), true, true);
        var read = new Operation.ReadItem(CONTAINER, "missing", Optional.of(key("p")), Precondition.NONE);
        database.reopen(ConsistencyLevel.STRONG);
        assertThat(database.execute(batch, Caller.owner()).charge())
                .isEqualTo(database.execute(read, Caller.owner()).charge())
                .isEqualTo(2);
    }

    @Test
    void whatDescribesHasAPriceToo() {
        var read = new Operation.ReadResource(CONTAINER, Precondition.NONE, false, 0);
        assertThat(database.execute(read, upTo(0.5)).answer()).isInstanceOf(Answer.Refused.class);
        assertThat(database.execute(read, upTo(1)).answer()).isInstanceOf(Answer.Resource.class);
        var create = new Operation.CreateResource(
                ResourceKind.DATABASE, Address.ACCOUNT, bytes("{\"id\":\"e\"}"), false, Optional.empty(), 0);
        assertThat(database.execute(create, upTo(0.5)).answer()).isInstanceOf(Answer.Refused.class);
        assertThat(database.execute(create).answer()).isInstanceOf(Answer.Resource.class);
    }

    private static Operation write(ItemWrite write) {
        return new Operation.WriteItem(CONTAINER, Optional.of(key("p")), write, Triggers.NONE);
    }

    private static BatchItem entry(ItemWrite write) {
        return new BatchItem(new BatchAction.Write(write), Optional.empty(), false);
    }

    /** What it costs, on a database of its own. */
    private static double price(Kind kind) {
        try (var other = filled()) {
            var outcome = other.execute(kind.operation());
            assertThat(outcome.answer()).isNotInstanceOf(Answer.Refused.class);
            return outcome.charge();
        }
    }

    private List<?> items() {
        return TestDatabase.rows(database.execute(new Operation.ListItems(CONTAINER, Scope.ALL, Page.FIRST)));
    }

    private static Caller upTo(double requestUnits) {
        var most = Math.round(requestUnits * 100) / 100.0;
        var owner = Caller.owner();
        return new Caller(
                owner.principal(),
                owner.session(),
                owner.consistency(),
                owner.intended(),
                new Spending(Priority.HIGH, Optional.empty(), Optional.of(most)));
    }

    private static String text(double requestUnits) {
        return Double.toString(Math.round(requestUnits * 100) / 100.0).replaceFirst("\\.0$", "");
    }

    /** For those who look at outcomes alone. */
    @Test
    void theRefusalIsPaidLikeAnAttempt() {
        Outcome refused = database.execute(
                write(new ItemWrite.Create(bytes("{\"id\":\"new\",\"pk\":\"p\"}"), Precondition.NONE)), upTo(0.01));
        assertThat(refused.charge()).isPositive();
    }
}
