package dev.orrery.engine.budget;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.DATABASE;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.queryText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
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
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.WireStatus;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Throughput that is enforced; time passes when a test lets it. */
class BudgetsTest {
    private static final Metering ENFORCED = new Metering(PriceLists.byDefault(), true, false, Optional.empty());
    private static final Metering SERVERLESS = new Metering(PriceLists.byDefault(), true, true, Optional.empty());

    private TestDatabase database;

    @AfterEach
    void close() {
        database.close();
    }

    // ---- kinds of throughput ----

    @Test
    void manualThroughputIsDeliveredAndNoMore() {
        open(new Throughput.Manual(400));
        assertThat(usedAtOnce()).isBetween(200.0, 210.0);
        double used = 0;
        for (int i = 0; i < 300; i++) {
            database.passMillis(100);
            used += usedAtOnce();
        }
        assertThat(used).isBetween(0.99 * 400 * 30, 1.01 * 400 * 30);
    }

    @Test
    void whoIsRefusedPaysNothingAndGetsThroughWhenToldTo() {
        open(new Throughput.Manual(400));
        usedAtOnce();
        var refused = read();
        assertThat(refused.charge()).isZero();
        var failure = throttled(refused);
        assertThat(failure.shortage()).isEqualTo(Shortage.THROUGHPUT);
        assertThat(WireStatus.of(failure).substatus()).isEqualTo(3200);
        database.passMillis(failure.retryAfterMillis());
        assertThat(read().answer()).isInstanceOf(Answer.Resource.class);
    }

    @Test
    void nothingIsRefusedUnlessThatIsAskedFor() {
        open(Metering.free(), Optional.of(new Throughput.Manual(400)));
        assertThat(usedAtOnce()).isGreaterThan(LOTS);
    }

    @Test
    void autoscaleRisesWithUseAndFallsBackAfterAMinute() {
        open(new Throughput.Autoscale(4_000, Obj.EMPTY));
        database.passSeconds(61);
        assertThat(current(CONTAINER)).isEqualTo(400);

        database.passSeconds(1);
        double used = usedAtOnce();
        assertThat(used).isBetween(2_000.0, 2_010.0);
        assertThat(current(CONTAINER)).isBetween(2_000, 2_010);

        for (int i = 0; i < 30; i++) {
            database.passMillis(100);
            usedAtOnce();
        }
        assertThat(current(CONTAINER)).isBetween(3_900, 4_000);
        database.passSeconds(58);
        assertThat(current(CONTAINER)).isGreaterThan(3_000);
        database.passSeconds(3);
        assertThat(current(CONTAINER)).isEqualTo(400);
    }

    @Test
    void autoscaleGivesItsMaximumAndNoMore() {
        open(new Throughput.Autoscale(4_000, Obj.EMPTY));
        usedAtOnce();
        double used = 0;
        for (int i = 0; i < 50; i++) {
            database.passMillis(100);
            used += usedAtOnce();
        }
        assertThat(used).isBetween(0.99 * 4_000 * 5, 1.01 * 4_000 * 5);
    }

    @Test
    void containersShareTheThroughputOfTheirDatabase() {
        database = TestDatabase.metered(ENFORCED);
        database.create(
                ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}", Optional.of(new Throughput.Manual(400)));
        container("c", Optional.empty());
        var other = container("other", Optional.empty());
        var own = container("own", Optional.of(new Throughput.Manual(400)));
        assertThat(database.offer(CONTAINER)).isEmpty();
        assertThat(database.offer(own)).isPresent();

        assertThat(usedAtOnce()).isLessThan(210);
        throttled(read(other));
        assertThat(used(() -> read(own))).as("what it has for itself").isGreaterThan(150);
        database.passSeconds(1);
        assertThat(used(() -> read(other)) + usedAtOnce()).isBetween(200.0, 215.0);

        database.setThroughput(DATABASE, 4_000);
        database.passSeconds(1);
        assertThat(used(() -> read(other))).isBetween(2_000.0, 2_010.0);
        throttled(read());
    }

    @Test
    void aServerlessAccountHasNoThroughputToSetAndRefusesNothing() {
        database = TestDatabase.metered(SERVERLESS);
        var refused = database.create(
                ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"x\"}", Optional.of(new Throughput.Manual(400)));
        assertThat(failure(refused)).isInstanceOf(Failure.BadRequest.class);
        assertThat(failure(refused).message()).contains("serverless");

        database.create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}", Optional.empty());
        refused = database.create(
                ResourceKind.CONTAINER,
                DATABASE,
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}",
                Optional.of(new Throughput.Autoscale(1_000, Obj.EMPTY)));
        assertThat(failure(refused).message()).contains("serverless");

        container("c", Optional.empty());
        assertThat(database.offer(CONTAINER)).isEmpty();
        assertThat(usedAtOnce()).isGreaterThan(LOTS);
    }

    @Test
    void eachRangeHasAShareOfItsOwn() {
        open(new Throughput.Manual(12_000));
        assertThat(database.ranges()).hasSize(2);
        var hot = keyIn("0");
        var calm = keyIn("1");
        create(CONTAINER, hot);
        create(CONTAINER, calm);
        database.passSeconds(1);
        assertThat(used(() -> read(CONTAINER, hot))).isBetween(3_000.0, 3_015.0);
        assertThat(read(CONTAINER, calm).answer()).isInstanceOf(Answer.Resource.class);
        // Who asks all ranges asks the hot one too.
        var all = query("SELECT * FROM c");
        throttled(database.execute(all));
        assertThat(used(() -> read(CONTAINER, calm)))
                .as("nothing is kept for what was refused")
                .isBetween(2_990.0, 3_015.0);
    }

    @Test
    void aChangeOfTheOfferCountsAtOnce() {
        open(new Throughput.Manual(400));
        usedAtOnce();
        throttled(read());
        database.setThroughput(4_000);
        database.passMillis(100);
        assertThat(usedAtOnce()).isBetween(380.0, 410.0);
        database.passSeconds(1);
        database.setThroughput(400);
        assertThat(usedAtOnce()).isBetween(200.0, 210.0);
    }

    @Test
    void throughputSharedByRangesIsSharedAmongMoreAfterASplit() {
        open(new Throughput.Manual(400));
        database.setThroughput(20_000);
        assertThat(database.ranges()).hasSize(2);
        database.passSeconds(1);
        assertThat(usedAtOnce()).isBetween(5_000.0, 5_015.0);
    }

    // ---- buckets and priorities ----

    @Test
    void aBucketHasItsPercentageAndNoMore() {
        open(new Throughput.Manual(1_000));
        buckets("[{\"id\":1,\"maxThroughputPercentage\":20},{\"id\":5,\"maxThroughputPercentage\":100}]");
        database.passSeconds(400);
        // Savings are for the whole partition: a bucket has its share of the throughput, not of those.
        assertThat(used(() -> read(bucket(1)))).isBetween(100.0, 105.0);
        var failure = throttled(read(bucket(1)));
        assertThat(failure.shortage()).isEqualTo(Shortage.BUCKET);
        assertThat(WireStatus.of(failure).substatus()).isEqualTo(3212);
        assertThat(read(bucket(5)).answer()).isInstanceOf(Answer.Resource.class);
        assertThat(read(bucket(2)).answer()).as("not set up").isInstanceOf(Answer.Resource.class);
        assertThat(read().answer()).isInstanceOf(Answer.Resource.class);
        database.passMillis(failure.retryAfterMillis());
        assertThat(read(bucket(1)).answer()).isInstanceOf(Answer.Resource.class);
    }

    @Test
    void whoNamesNoBucketUsesTheDefaultOne() {
        open(new Throughput.Manual(1_000));
        buckets("[{\"id\":1,\"maxThroughputPercentage\":20,\"isDefaultBucket\":true}]");
        database.passSeconds(1);
        assertThat(usedAtOnce()).isBetween(100.0, 105.0);
        assertThat(throttled(read()).shortage()).isEqualTo(Shortage.BUCKET);
        buckets("[]");
        assertThat(read().answer()).isInstanceOf(Answer.Resource.class);
    }

    @Test
    void whatThePartitionRefusesIsNotCountedToTheBucket() {
        open(new Throughput.Manual(1_000));
        buckets("[{\"id\":1,\"maxThroughputPercentage\":20}]");
        database.passSeconds(1);
        usedAtOnce();
        for (int i = 0; i < 1_000; i++) {
            assertThat(throttled(read(bucket(1))).shortage()).isEqualTo(Shortage.THROUGHPUT);
        }
        database.passSeconds(1);
        assertThat(used(() -> read(bucket(1)))).isBetween(100.0, 105.0);
    }

    @Test
    void bucketsAreNumberedFromOneToFiveAndGivenOnce() {
        open(new Throughput.Manual(400));
        for (var wrong : List.of(
                "[{\"id\":0,\"maxThroughputPercentage\":20}]",
                "[{\"id\":6,\"maxThroughputPercentage\":20}]",
                "[{\"id\":1,\"maxThroughputPercentage\":0}]",
                "[{\"id\":1,\"maxThroughputPercentage\":101}]",
                "[{\"id\":1}]",
                "[7]",
                "[{\"id\":1,\"maxThroughputPercentage\":1},{\"id\":1,\"maxThroughputPercentage\":2}]")) {
            assertThat(failure(database.changeOffer(CONTAINER, "throughputBuckets", JsonReader.parse(bytes(wrong)))))
                    .as(wrong)
                    .isInstanceOf(Failure.BadRequest.class);
        }
    }

    @Test
    void lowPriorityIsTheFirstToWait() {
        open(new Throughput.Manual(400));
        var low = caller(new Spending(Priority.LOW, Optional.empty(), Optional.empty()));
        assertThat(used(() -> read(low))).isBetween(100.0, 105.0);
        throttled(read(low));
        assertThat(usedAtOnce()).isBetween(90.0, 105.0);
        database.passSeconds(1);
        assertThat(read(low).answer()).isInstanceOf(Answer.Resource.class);
    }

    // ---- kinds of requests ----

    @Test
    void everyRequestForItemsHasToWait() {
        open(new Throughput.Manual(400));
        usedAtOnce();
        var partition = Optional.of(key("p"));
        var inPartition = new Scope(Optional.empty(), partition, Optional.empty());
        var upsert = new ItemWrite.Upsert(bytes("{\"id\":\"p\",\"pk\":\"p\"}"), Precondition.NONE);
        for (var operation : List.of(
                new Operation.ReadItem(CONTAINER, "p", partition, Precondition.NONE),
                new Operation.WriteItem(CONTAINER, partition, upsert, Triggers.NONE),
                new Operation.DeletePartition(CONTAINER, key("p")),
                new Operation.ListItems(CONTAINER, inPartition, Page.FIRST),
                new Operation.ReadChanges(CONTAINER, Scope.ALL, changes(Optional.empty()), Optional.empty()),
                query("SELECT * FROM c"),
                batch(true, 2))) {
            throttled(database.execute(operation));
        }
        assertThat(database.ranges()).as("what describes is free").hasSize(1);
    }

    @Test
    void eachOperationInBulkWaitsForItself() {
        open(new Throughput.Manual(400));
        // Nobody knows what a write costs here before some have been made.
        for (int i = 0; i < 100; i++) {
            create(CONTAINER, "p");
            database.passMillis(100);
        }
        database.passSeconds(1);
        var results = ((Answer.Batch) database.execute(batch(false, 100)).answer()).results();
        var first = results.getFirst();
        assertThat(first.answer()).isInstanceOf(Answer.Resource.class);
        var waits = results.stream()
                .map(BatchResult::answer)
                .filter(Answer.Refused.class::isInstance)
                .map(answer -> ((Failure.Throttled) ((Answer.Refused) answer).failure()).retryAfterMillis())
                .toList();
        assertThat(waits).hasSizeBetween(20, 99).isSorted();
        // Turns, each after the other: they are sent together and are not to come back together.
        assertThat(waits.getLast() - waits.getFirst()).isGreaterThan(100);
        assertThat(results.stream()
                        .filter(result -> result.answer() instanceof Answer.Refused)
                        .mapToDouble(BatchResult::charge)
                        .sum())
                .isZero();
    }

    @Test
    void whatFailsLeavesNothingOwed() {
        open(new Throughput.Manual(400));
        for (int i = 0; i < 1_000; i++) {
            for (var wrong : List.of(
                    query("SELECT * FROM c ORDER BY c.a, c.b"),
                    query("SELECT nonsense"),
                    new Operation.ReadChanges(
                            CONTAINER, Scope.ALL, changes(Optional.of("\"nonsense\"")), Optional.empty()))) {
                assertThat(WireStatus.of(failure(database.execute(wrong))).status())
                        .isEqualTo(400);
            }
        }
        assertThat(usedAtOnce()).isBetween(200.0, 210.0);
    }

    @Test
    void aBatchThatIsUndoneHasItsPrice() {
        open(new Throughput.Manual(400));
        database.execute(batch(true, 2));
        var undone = database.execute(batch(true, 2));
        assertThat(((Answer.Batch) undone.answer()).results().getFirst().answer())
                .isInstanceOf(Answer.Refused.class);
        assertThat(undone.charge()).isPositive();
        used(() -> database.execute(batch(true, 2)));
        throttled(read());
    }

    // ---- asking ----

    /** More than any budget here has at once. */
    private static final double LOTS = 20_000;

    private void open(Throughput throughput) {
        open(ENFORCED, Optional.of(throughput));
    }

    private void open(Metering metering, Optional<Throughput> throughput) {
        database = TestDatabase.metered(metering);
        database.create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}", Optional.empty());
        container("c", throughput);
        // What the first item cost is paid.
        database.passSeconds(1);
    }

    private Address container(String id, Optional<Throughput> throughput) {
        database.create(
                ResourceKind.CONTAINER,
                DATABASE,
                "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"]}}",
                throughput);
        var address = DATABASE.child(ResourceKind.CONTAINER, id);
        create(address, "p");
        return address;
    }

    private void create(Address container, String key) {
        var item = "{\"id\":\"" + key + "\",\"pk\":\"" + key + "\"}";
        var created = database.execute(new Operation.WriteItem(
                container, Optional.of(key(key)), new ItemWrite.Upsert(bytes(item), Precondition.NONE), Triggers.NONE));
        assertThat(created.answer()).isInstanceOf(Answer.Resource.class);
    }

    private Outcome read() {
        return read(CONTAINER);
    }

    private Outcome read(Address container) {
        return read(container, "p");
    }

    private Outcome read(Address container, String key) {
        return database.execute(
                new Operation.ReadItem(container, key, Optional.of(key(key)), Precondition.NONE), Caller.owner());
    }

    private Outcome read(Caller caller) {
        return database.execute(
                new Operation.ReadItem(CONTAINER, "p", Optional.of(key("p")), Precondition.NONE), caller);
    }

    private double usedAtOnce() {
        return used(this::read);
    }

    /** What gets through before something has to wait. */
    private static double used(Supplier<Outcome> request) {
        double used = 0;
        while (used < LOTS + 1) {
            var outcome = request.get();
            if (outcome.answer() instanceof Answer.Refused(var failure) && failure instanceof Failure.Throttled) {
                return used;
            }
            assertThat(outcome.charge()).isPositive();
            used += outcome.charge();
        }
        return used;
    }

    private static Failure failure(Outcome outcome) {
        assertThat(outcome.answer()).isInstanceOf(Answer.Refused.class);
        return ((Answer.Refused) outcome.answer()).failure();
    }

    private static Failure.Throttled throttled(Outcome outcome) {
        assertThat(failure(outcome)).isInstanceOf(Failure.Throttled.class);
        return (Failure.Throttled) failure(outcome);
    }

    private static Operation query(String text) {
        return new Operation.QueryItems(
                CONTAINER, Scope.ALL, queryText(text, Map.of()), Page.FIRST, Set.of(QueryWish.WHOLE_RESULT));
    }

    private static ChangesWanted changes(Optional<String> after) {
        return new ChangesWanted(ChangeMode.LATEST_VERSION, after, Optional.empty(), false, false);
    }

    /** Creates of new items in one partition. */
    private static Operation batch(boolean atomic, int count) {
        var partition = Optional.of(key("b"));
        var items = IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"" + i + "\",\"pk\":\"b\"}")
                .map(item -> new BatchItem(
                        new BatchAction.Write(new ItemWrite.Create(bytes(item), Precondition.NONE)),
                        atomic ? Optional.empty() : partition,
                        false))
                .toList();
        var scope = new Scope(Optional.empty(), atomic ? partition : Optional.empty(), Optional.empty());
        return new Operation.Batch(CONTAINER, scope, items, atomic, true);
    }

    private void buckets(String json) {
        var replaced = database.changeOffer(CONTAINER, "throughputBuckets", JsonReader.parse(bytes(json)));
        assertThat(replaced.answer()).isInstanceOf(Answer.Resource.class);
    }

    private static Caller bucket(int id) {
        return caller(new Spending(Priority.HIGH, Optional.of(id), Optional.empty()));
    }

    private static Caller caller(Spending spending) {
        var owner = Caller.owner();
        return new Caller(owner.principal(), owner.session(), owner.consistency(), owner.intended(), spending);
    }

    private int current(Address owner) {
        var content = (Obj) database.offer(owner).orElseThrow().member("content");
        return (int) ((Num) content.member("offerThroughput")).value();
    }

    /** A partition key of a range. */
    private String keyIn(String rangeId) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(key -> read(CONTAINER, key).facts().rangeId().equals(Optional.of(rangeId)))
                .findFirst()
                .orElseThrow();
    }
}
