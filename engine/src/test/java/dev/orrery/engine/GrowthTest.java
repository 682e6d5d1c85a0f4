package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.json;
import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.Await;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":-1,"
            + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/mail\"]}]}}";

    @Test
    void everyStartedSixThousandUnitsGiveANewContainerARange() throws Exception {
        try (var small = TestDatabase.withContainer(DEFINITION, 6_000);
                var large = TestDatabase.withContainer(DEFINITION, 6_100)) {
            assertThat(small.ranges()).hasSize(1);
            assertThat(large.ranges()).hasSize(2);
        }
    }

    @Test
    void raisingThroughputSplitsRangesAndKeepsEveryItem() throws Exception {
        try (var database = TestDatabase.withContainer(DEFINITION, 400)) {
            for (int i = 0; i < 200; i++) {
                json(database.createItem("p" + i, item(i)));
            }
            long lsn = database.readItem("p0", "0").facts().lsn().orElseThrow();
            var before = new HashSet<>(database.query("SELECT * FROM c", Scope.ALL, 50));

            database.setThroughput(30_000);

            assertThat(database.ranges())
                    .hasSize(3)
                    .allSatisfy(range -> assertThat(((JsonValue.Arr) ((Obj) range).member("parents")).items())
                            .contains(new JsonValue.Str("0")));
            assertThat(new HashSet<>(database.query("SELECT * FROM c", Scope.ALL, 7)))
                    .isEqualTo(before);
            assertThat(database.readItem("p0", "0").facts().lsn())
                    .as("sessions hold the LSNs of the parent")
                    .contains(lsn);
            assertThat(ItemsTest.refusal(database.createItem("p0", item(0).replace("\"id\":\"0\"", "\"id\":\"x\""))))
                    .as("unique keys went along")
                    .isInstanceOf(Failure.Conflict.class);
            var usage = database.execute(new Operation.ReadResource(TestDatabase.CONTAINER, Precondition.NONE, true, 0))
                    .facts()
                    .usage()
                    .orElseThrow();
            assertThat(usage.items()).isEqualTo(200);
            database.reopen();
            assertThat(new HashSet<>(database.query("SELECT * FROM c", Scope.ALL, 7)))
                    .isEqualTo(before);
        }
    }

    @Test
    void raisingTheThroughputOfADatabaseSplitsTheContainersThatShareIt() throws Exception {
        try (var database = TestDatabase.withContainer(DEFINITION, 400)) {
            var shared = Address.ACCOUNT.child(ResourceKind.DATABASE, "shared");
            database.create(
                    ResourceKind.DATABASE,
                    Address.ACCOUNT,
                    "{\"id\":\"shared\"}",
                    Optional.of(new Throughput.Manual(400)));
            database.create(ResourceKind.CONTAINER, shared, DEFINITION, Optional.empty());
            var own = DEFINITION.replace("\"c\"", "\"own\"");
            database.create(ResourceKind.CONTAINER, shared, own, Optional.of(new Throughput.Manual(400)));

            database.setThroughput(shared, 20_000);

            assertThat(database.ranges(shared.child(ResourceKind.CONTAINER, "c")))
                    .hasSize(2);
            assertThat(database.ranges(shared.child(ResourceKind.CONTAINER, "own")))
                    .hasSize(1);
        }
    }

    @Test
    void aSplitThatWasInterruptedIsMadeUpForByTheNextStart() throws Exception {
        var broken = new AtomicBoolean();
        FaultPlan plan = (partition, commit) ->
                broken.get() && !partition.equals(new PartitionId(0)) ? new Fault.Fail(false) : new Fault.None();
        try (var database = TestDatabase.withContainer(new FaultyStore(new MemoryStore(), plan), DEFINITION, 400)) {
            json(database.createItem("p0", item(0)));
            broken.set(true);
            assertThat(ItemsTest.refusal(database.setThroughput(20_000))).isInstanceOf(Failure.Unavailable.class);
            assertThat(database.ranges()).hasSize(1);

            broken.set(false);
            database.reopen();

            Await.value("ranges", () -> database.ranges().size(), 2);
            json(database.readItem("p0", "0"));
        }
    }

    @Test
    void aRangeThatIsGoneIsNamedAsSuch() throws Exception {
        try (var database = TestDatabase.withContainer(DEFINITION, 400)) {
            database.setThroughput(20_000);

            var scope = new Scope(Optional.of("0"), Optional.empty(), Optional.empty());
            var outcome =
                    database.execute(new Operation.ListItems(TestDatabase.CONTAINER, scope, Operation.Page.FIRST));

            assertThat(ItemsTest.refusal(outcome)).isInstanceOf(Failure.PartitionRangeGone.class);
        }
    }

    @Test
    void writersNoticeNothingOfASplit() throws Exception {
        try (var database = TestDatabase.withContainer(DEFINITION, 400);
                var clients = Executors.newFixedThreadPool(4)) {
            var stop = new AtomicBoolean();
            var acknowledged = ConcurrentHashMap.<String>newKeySet();
            var writers = new ArrayList<Future<?>>();
            for (int client = 0; client < 4; client++) {
                int number = client;
                writers.add(clients.submit(() -> {
                    for (int i = 0; !stop.get(); i++) {
                        var id = number + "-" + i;
                        var outcome = database.createItem(id, item(id));
                        if (!(outcome.answer() instanceof Answer.Resource)) {
                            throw new AssertionError("Refused: " + outcome);
                        }
                        acknowledged.add(text(json(outcome), "id"));
                    }
                }));
            }
            Await.until("they write", () -> acknowledged.size() > 20);
            database.setThroughput(20_000);
            database.setThroughput(40_000);
            int before = acknowledged.size();
            Await.until("they go on", () -> acknowledged.size() > before + 20 || anyDone(writers));
            stop.set(true);
            for (var writer : writers) {
                writer.get();
            }

            assertThat(database.ranges()).hasSize(4);
            var found = new HashSet<String>();
            database.query("SELECT VALUE c.id FROM c", Scope.ALL, 1000)
                    .forEach(id -> found.add(((JsonValue.Str) id).value()));
            assertThat(found).isEqualTo(acknowledged).isNotEmpty();
        }
    }

    private static boolean anyDone(List<Future<?>> writers) {
        return writers.stream().anyMatch(Future::isDone);
    }

    private static String item(int number) {
        return "{\"id\":\"" + number + "\",\"pk\":\"p" + number + "\",\"mail\":\"m" + number + "\",\"ttl\":1000}";
    }

    private static String item(String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + id + "\"}";
    }
}
