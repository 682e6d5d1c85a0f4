package dev.orrery.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.FailureException;
import dev.orrery.model.SessionToken;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers of the change feed are told. */
class ChangesTest {
    private static final String WITH_POLICY = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":60}}
        """;

    private TestDatabase database = TestDatabase.withContainer();

    @AfterEach
    void close() {
        database.close();
    }

    private void put(String partition, String id, int n) {
        database.upsertItem(partition, "{\"id\":\"" + id + "\",\"pk\":\"" + partition + "\",\"n\":" + n + "}");
    }

    private void use(TestDatabase other) {
        database.close();
        database = other;
    }

    // ---- latest versions ----

    @Test
    void fromTheBeginningComeAllItemsInTheOrderOfTheirLastChange() {
        put("p", "a", 1);
        put("p", "b", 1);
        put("q", "c", 1);
        put("p", "a", 2);
        database.deleteItem("q", "c");

        var reader = FeedReader.latest(database);

        assertThat(reader.ids()).containsExactly("b", "a");
        assertThat(reader.drain()).isEmpty();
        put("q", "d", 1);
        assertThat(reader.ids()).containsExactly("d");
    }

    @Test
    void anItemTellsTheLsnOfItsChange() {
        put("p", "a", 1);
        put("p", "b", 1);

        var items = FeedReader.latest(database).page();

        assertThat(items).extracting(item -> item.member("_lsn")).containsExactly(new Num(2), new Num(3));
    }

    @Test
    void anItemThatWasCopiedFromAFeedHasOneLsnOnly() {
        put("p", "a", 1);
        database.upsertItem("p", "{\"id\":\"b\",\"pk\":\"p\",\"_lsn\":77}");

        var outcome = FeedReader.latest(database).ask();

        var texts = ((Answer.Feed) outcome.answer())
                .rows().stream()
                        .map(row -> StandardCharsets.UTF_8.decode(row).toString())
                        .toList();
        assertThat(texts.get(1)).contains("\"_lsn\":3").doesNotContain("77");
    }

    @Test
    void nothingNewStillTellsThePlaceAndTheSession() {
        put("p", "a", 1);
        var reader = FeedReader.latest(database);
        reader.drain();

        var outcome = reader.ask();

        assertThat(outcome.answer()).isInstanceOf(Answer.NotModified.class);
        assertThat(outcome.facts().etag()).contains("\"2\"");
        assertThat(outcome.facts().sessionToken()).contains(SessionToken.text(0, 2));
        assertThat(outcome.charge()).isEqualTo(1);
    }

    @Test
    void fromNowOnComesWhatIsWrittenLater() {
        put("p", "a", 1);
        var reader = FeedReader.latest(database).from("*");

        assertThat(reader.drain()).isEmpty();
        put("p", "b", 1);
        assertThat(reader.ids()).containsExactly("b");
    }

    @Test
    void fromATimeComesWhatWasWrittenThenOrLater() {
        var times = new ArrayList<Instant>();
        for (int i = 0; i < 50; i++) {
            times.add(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i * 600L));
            database.setTime(times.getLast());
            put("p", "i" + i, 1);
        }

        for (int i = 0; i < 50; i++) {
            var exactly = FeedReader.latest(database).since(times.get(i)).ids();
            var between = FeedReader.latest(database)
                    .since(times.get(i).minusSeconds(1))
                    .ids();
            assertThat(exactly).hasSize(50 - i).startsWith("i" + i);
            assertThat(between).isEqualTo(exactly);
        }
        assertThat(FeedReader.latest(database)
                        .since(times.getLast().plusSeconds(1))
                        .ids())
                .isEmpty();
    }

    @Test
    void aClockThatWasSetBackLosesNothing() {
        var noon = Instant.parse("2026-01-01T12:00:00Z");
        database.setTime(noon);
        put("p", "a", 1);
        database.setTime(noon.minusSeconds(200));
        put("p", "b", 1);
        database.setTime(noon.plusSeconds(10));
        put("p", "c", 1);

        assertThat(FeedReader.latest(database).since(noon).ids())
                .as("what comes after a change is never earlier")
                .containsExactly("a", "b", "c");
    }

    /** SDKs send the time of the start with every page. */
    @Test
    void aTimeAndAPlaceBothHold() {
        var noon = Instant.parse("2026-01-01T12:00:00Z");
        database.setTime(noon);
        IntStream.range(0, 5).forEach(i -> put("p", "old" + i, 1));
        database.setTime(noon.plusSeconds(5));
        IntStream.range(0, 5).forEach(i -> put("p", "new" + i, 1));

        var reader = FeedReader.latest(database).since(noon.plusSeconds(5)).pageSize(2);

        assertThat(reader.ids()).containsExactly("new0", "new1", "new2", "new3", "new4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void pagesHaveTheSizeAskedFor(int size) {
        IntStream.range(0, 30).forEach(i -> put("p" + i % 3, "i" + i, 1));
        var reader = FeedReader.latest(database).pageSize(size);

        var pages = new ArrayList<List<Obj>>();
        for (var page = reader.page(); !page.isEmpty(); page = reader.page()) {
            pages.add(page);
        }

        assertThat(pages).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(size));
        assertThat(pages.stream().flatMap(List::stream)).hasSize(30);
    }

    @Test
    void aTransactionIsNeverCutInTwo() {
        put("p", "before", 1);
        var writes = IntStream.range(0, 10)
                .mapToObj(i -> new BatchItem(
                        new BatchAction.Write(new ItemWrite.Create(
                                TestDatabase.bytes("{\"id\":\"t" + i + "\",\"pk\":\"p\"}"), Precondition.NONE)),
                        Optional.empty(),
                        false))
                .toList();
        database.execute(new Operation.Batch(TestDatabase.CONTAINER, inPartition("p"), writes, true, false));
        put("p", "after", 1);

        var reader = FeedReader.latest(database).pageSize(2);

        assertThat(reader.page()).hasSize(11);
        assertThat(reader.ids()).containsExactly("after");
    }

    @Test
    void aPartitionKeyAndAStretchOfKeysConfineTheFeed() {
        IntStream.range(0, 40).forEach(i -> put("p" + i % 8, "i" + i, 1));
        var definition = JsonReader.parse("{\"paths\":[\"/pk\"]}");
        var middle = EffectivePartitionKey.of(TestDatabase.key("p3"), PartitionKeyDefinition.parse(definition));

        var one = new FeedReader(database, ChangeMode.LATEST_VERSION, inPartition("p3"));
        var low = new FeedReader(database, ChangeMode.LATEST_VERSION, inEpks(new EpkRange(EpkRange.ALL.min(), middle)));
        var high =
                new FeedReader(database, ChangeMode.LATEST_VERSION, inEpks(new EpkRange(middle, EpkRange.ALL.max())));

        assertThat(one.ids()).containsExactly("i3", "i11", "i19", "i27", "i35");
        var halves = new ArrayList<>(low.ids());
        assertThat(halves).isNotEmpty().doesNotContain("i3");
        halves.addAll(high.ids());
        assertThat(halves).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void aPrefixOfAHierarchicalKeyConfinesTheFeed() {
        use(TestDatabase.withContainer("""
            {"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}}
            """, 400));
        for (int i = 0; i < 12; i++) {
            var body = "{\"id\":\"i" + i + "\",\"a\":\"a" + i % 2 + "\",\"b\":\"b" + i % 3 + "\"}";
            database.execute(new Operation.WriteItem(
                    TestDatabase.CONTAINER,
                    Optional.of(PartitionKey.parse("[\"a" + i % 2 + "\",\"b" + i % 3 + "\"]")),
                    new ItemWrite.Create(TestDatabase.bytes(body), Precondition.NONE),
                    Operation.Triggers.NONE));
        }

        var reader = new FeedReader(database, ChangeMode.LATEST_VERSION, inPartition("a1"));

        assertThat(reader.ids()).containsExactly("i1", "i3", "i5", "i7", "i9", "i11");
    }

    @Test
    void whatHasExpiredIsNotTold() {
        use(TestDatabase.withContainer(WITH_POLICY, 400));
        database.upsertItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"ttl\":5}");
        put("p", "b", 1);
        database.passSeconds(6);

        assertThat(FeedReader.latest(database).ids()).containsExactly("b");
    }

    @Test
    void wrappedItemsTellWhatHappened() {
        put("p", "a", 1);
        put("p", "b", 1);
        put("p", "b", 2);

        assertThat(FeedReader.stories(FeedReader.latest(database).wrapped().drain()))
                .containsExactly("create a 1", "replace b 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abc\"", "\"-1\"", "\"\"", "\"1:\"", "\"1,2\"", "\"99999999999999999999\"", "\"1:2:3\""})
    void aPlaceThatIsNoneIsRefused(String tag) {
        assertThatThrownBy(() -> FeedReader.latest(database).from(tag).page())
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("If-None-Match");
    }

    /** Otherwise a reader of a container that was deleted and made again would wait for a long time, and miss a lot. */
    @Test
    void aPlaceBehindTheLastChangeIsRefused() {
        put("p", "a", 1);

        assertThatThrownBy(() -> FeedReader.latest(database).from("\"3\"").page())
                .hasMessageContaining("lies behind the last change");
    }

    // ---- all versions ----

    @Test
    void allVersionsTellEachChange() {
        var reader = FeedReader.allVersions(database).from("*");
        reader.page();
        put("p", "a", 1);
        put("p", "a", 2);
        put("p", "b", 1);
        put("p", "a", 3);
        database.deleteItem("p", "a");

        assertThat(FeedReader.stories(reader.drain()))
                .containsExactly("create a 1", "replace a 2", "create b 1", "replace a 3", "delete a");
    }

    @Test
    void theVersionBeforeIsToldWhereAskedFor() {
        var reader = FeedReader.allVersions(database).from("*").withPrevious();
        reader.page();
        put("p", "a", 1);
        put("p", "a", 2);
        database.deleteItem("p", "a");

        assertThat(FeedReader.stories(reader.drain()))
                .containsExactly("create a 1", "replace a 2 was 1", "delete a was 2");
    }

    @Test
    void aContainerMayAskForTheVersionsBefore() {
        use(TestDatabase.withContainer(WITH_POLICY, 400));
        var reader = FeedReader.allVersions(database).from("*");
        reader.page();
        put("p", "a", 1);
        put("p", "a", 2);

        assertThat(FeedReader.stories(reader.drain())).containsExactly("create a 1", "replace a 2 was 1");
    }

    @Test
    void theEndOfATimeToLiveIsTold() {
        use(TestDatabase.withContainer(WITH_POLICY, 400));
        var reader = FeedReader.allVersions(database).from("*");
        reader.page();
        database.upsertItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"n\":1,\"ttl\":5}");
        database.passSeconds(6);
        put("p", "a", 2);

        assertThat(FeedReader.stories(reader.drain()))
                .containsExactly("create a 1", "delete a was 1 expired", "create a 2");
    }

    @Test
    void aDeleteNamesTheItem() {
        var reader = FeedReader.allVersions(database).from("*");
        reader.page();
        put("p", "a", 1);
        database.deleteItem("p", "a");

        var metadata = (Obj) reader.drain().getLast().member("metadata");

        assertThat(metadata.toString())
                .contains("\"operationType\":\"delete\"", "\"id\":\"a\"", "\"partitionKey\":{\"pk\":\"p\"}")
                .contains("\"lsn\":3", "\"previousImageLSN\":2", "\"crts\":");
    }

    @Test
    void allVersionsDoNotComeFromTheBeginning() {
        assertThatThrownBy(() -> FeedReader.allVersions(database).page())
                .hasMessageContaining("cannot be read from the beginning");
    }

    @Test
    void allVersionsComeFromATime() {
        put("p", "a", 1);
        database.passSeconds(10);
        var time = Instant.parse("2026-01-01T00:00:10Z");
        put("p", "a", 2);
        put("p", "a", 3);

        assertThat(FeedReader.stories(
                        FeedReader.allVersions(database).since(time).drain()))
                .containsExactly("replace a 2", "replace a 3");
    }

    // ---- splits and restarts ----

    @Test
    void afterASplitTheChildrenGoOnFromThePlaceInTheirParent() {
        IntStream.range(0, 40).forEach(i -> put("p" + i % 8, "i" + i, 1));
        var parent = new FeedReader(database, ChangeMode.LATEST_VERSION, inRange("0")).pageSize(10);
        var told = new ArrayList<String>();
        parent.page().forEach(item -> told.add(TestDatabase.text(item, "id")));

        split();
        IntStream.range(40, 60).forEach(i -> put("p" + i % 8, "i" + i, 1));

        assertThatThrownBy(parent::page).isInstanceOf(FailureException.class).hasMessageContaining("is gone");
        for (var range : database.ranges()) {
            var name = TestDatabase.text((Obj) range, "id");
            told.addAll(new FeedReader(database, ChangeMode.LATEST_VERSION, inRange(name))
                    .from(parent.place().orElseThrow())
                    .pageSize(7)
                    .ids());
        }
        assertThat(told).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void aReaderOfTheWholeContainerNoticesNoSplit() {
        IntStream.range(0, 40).forEach(i -> put("p" + i % 8, "i" + i, 1));
        var reader = FeedReader.latest(database).pageSize(10);
        var told = new ArrayList<String>();
        reader.page().forEach(item -> told.add(TestDatabase.text(item, "id")));

        split();
        IntStream.range(40, 60).forEach(i -> put("p" + i % 8, "i" + i, 1));
        reader.page().forEach(item -> told.add(TestDatabase.text(item, "id")));
        split();
        told.addAll(reader.ids());

        assertThat(told).hasSize(60).doesNotHaveDuplicates();
        assertThat(reader.place().orElseThrow()).contains(":", ",");
    }

    @Test
    void noRangeStarvesBehindABusyOne() {
        split();
        IntStream.range(0, 80).forEach(i -> put("p" + i % 16, "i" + i, 1));
        var reader = FeedReader.latest(database).pageSize(1);

        for (int i = 0; i < 6; i++) {
            reader.page().forEach(item -> put(TestDatabase.text(item, "pk"), TestDatabase.text(item, "id"), 2));
        }

        assertThat(reader.place().orElseThrow()).doesNotContain(":0");
    }

    @Test
    void versionsAreKeptThroughASplit() {
        put("p", "a", 1);
        put("q", "b", 1);
        put("p", "a", 2);
        database.deleteItem("q", "b");

        split();

        assertThat(FeedReader.stories(FeedReader.allVersions(database)
                        .from("\"0\"")
                        .withPrevious()
                        .drain()))
                .containsExactlyInAnyOrder("create a 1", "create b 1", "replace a 2 was 1", "delete b was 1");
    }

    @Test
    void aRestartChangesNothing() {
        var reader = FeedReader.allVersions(database).from("*");
        reader.page();
        put("p", "a", 1);
        put("p", "a", 2);
        database.reopen();
        put("p", "a", 3);

        assertThat(FeedReader.stories(reader.drain())).containsExactly("create a 1", "replace a 2", "replace a 3");
    }

    // ---- how long the log is ----

    @Test
    void beyondTheRetentionOnlyTheLatestChangesAreLeft() {
        put("p", "a", 1);
        put("p", "b", 1);
        put("p", "a", 2);
        put("p", "c", 1);
        database.deleteItem("p", "b");
        var early = FeedReader.allVersions(database).from("\"0\"");
        database.passSeconds(601);
        put("p", "c", 2);
        var before = database.readItem("p", "c").facts().lsn();
        database.trimLogs();

        assertThat(database.readItem("p", "c").facts().lsn()).isEqualTo(before).contains(7L);
        assertThat(FeedReader.latest(database).ids()).containsExactly("a", "c");
        assertThatThrownBy(early::page).hasMessageContaining("are gone").hasMessageContaining("10 minutes");
        assertThat(FeedReader.stories(FeedReader.allVersions(database)
                        .from("\"6\"")
                        .withPrevious()
                        .drain()))
                .containsExactly("replace c 2 was 1");
        assertThatThrownBy(() -> FeedReader.allVersions(database)
                        .since(Instant.parse("2026-01-01T00:00:00Z"))
                        .page())
                .hasMessageContaining("are gone");
    }

    @Test
    void theLogStaysAsLongAsThereAreItems() {
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 20; i++) {
                put("p" + i % 3, "i" + i, round);
            }
            put("p", "gone", round);
            database.deleteItem("p", "gone");
            database.passSeconds(100);
            database.trimLogs();
        }
        database.passSeconds(1000);
        database.trimLogs();

        assertThat(database.rowsOf(KeySpace.LOG)).isEqualTo(20);
        assertThat(database.rowsOf(KeySpace.VERSION)).isZero();
        assertThat(FeedReader.latest(database).drain()).hasSize(20);
    }

    /** Doubles the ranges. */
    private void split() {
        int ranges = database.ranges().size();
        database.setThroughput(ranges * 2 * 10_000);
        assertThat(database.ranges()).hasSize(ranges * 2);
    }

    private static Scope inRange(String name) {
        return new Scope(Optional.of(name), Optional.empty(), Optional.empty());
    }

    private static Scope inPartition(String key) {
        return new Scope(Optional.empty(), Optional.of(TestDatabase.key(key)), Optional.empty());
    }

    private static Scope inEpks(EpkRange epks) {
        return new Scope(Optional.empty(), Optional.empty(), Optional.of(epks));
    }
}
