package dev.orrery.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.hybridrow.Frames;
import dev.orrery.gateway.route.Route;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.WireStatus;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.Throughput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationReaderTest {
    private static final String ITEMS = "/dbs/d/colls/c/docs";
    private static final String ITEM = "/dbs/d/colls/c/docs/i";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        content-type: application/json                                     | Create
        x-ms-documentdb-is-upsert: true                                    | Upsert
        x-ms-documentdb-is-upsert: TRUE                                    | Upsert
        x-ms-documentdb-is-upsert: false                                   | Create
        x-ms-documentdb-is-upsert: ''                                      | Create
        x-ms-documentdb-isquery: True                                      | QueryItems
        content-type: application/query+json                               | QueryItems
        content-type: Application/Query+JSON; charset=utf-8                | QueryItems
        x-ms-cosmos-is-query-plan-request: True                            | PlanQuery
        x-ms-cosmos-is-batch-request: True                                 | Batch
        x-unheard-of: anything                                             | Create
        """)
    void headersDecideWhatAPostMeans(String header, String expected) {
        var parts = header.split(": ", 2);
        var operation = read(TestRequest.post(ITEMS, "[{\"operationType\":\"Read\",\"id\":\"i\"}]")
                .header(parts[0], parts[1].equals("''") ? "" : parts[1]));
        var named = operation instanceof Operation.WriteItem write ? write.write() : operation;
        assertThat(named.getClass().getSimpleName()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -1         |
        0          |
        1          | 1
        1000       | 1000
        2147483647 | 2147483647
        """)
    void aPageSizeOfMinusOneOrNoneIsLeftToTheServer(String header, Integer itemsMax) {
        var list = (Operation.ListItems) read(TestRequest.get(ITEMS).header("x-ms-max-item-count", header));
        assertThat(list.page()).isEqualTo(new Page(Optional.ofNullable(itemsMax), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-2", "1.5", "many", "2147483648", "0x10"})
    void aPageSizeThatIsNoneIsABadRequest(String header) {
        assertRefused(400, () -> read(TestRequest.get(ITEMS).header("x-ms-max-item-count", header)));
    }

    @Test
    void aQuerySaysWhatItWantsBesidesRows() {
        var plain = TestRequest.post(ITEMS, "{}").header("x-ms-documentdb-isquery", "True");
        assertThat(((Operation.QueryItems) read(plain)).wishes()).containsOnly(QueryWish.ONE_PARTITION);
        var wide = plain.header("x-ms-documentdb-query-enablecrosspartition", "True");
        assertThat(((Operation.QueryItems) read(wide)).wishes()).isEmpty();
        var wanting = plain.header("x-ms-cosmos-populatequeryadvice", "true")
                .header("x-ms-cosmos-populateindexmetrics", "true")
                .header("x-orrery-serve-raw-query", "true");
        assertThat(((Operation.QueryItems) read(wanting)).wishes())
                .containsOnly(QueryWish.ADVICE, QueryWish.EXPLANATION, QueryWish.WHOLE_RESULT);
    }

    @Test
    void anEmptyContinuationIsNone() {
        var first = (Operation.ListItems) read(TestRequest.get(ITEMS).header("x-ms-continuation", ""));
        var second = (Operation.ListItems) read(TestRequest.get(ITEMS).header("x-ms-continuation", "abc"));
        assertThat(first.page()).isEqualTo(Page.FIRST);
        assertThat(second.page().continuation()).contains("abc");
    }

    @Test
    void theScopeOfAFeedIsARangeAKeyOrAPartOfTheHashedLine() {
        assertThat(scope("x-ms-documentdb-partitionkeyrangeid", "3").rangeId()).contains("3");
        assertThat(scope("x-ms-documentdb-partitionkeyrangeid", "AQIDBIAAAAE=,3")
                        .rangeId())
                .contains("3");
        assertThat(scope("x-ms-documentdb-partitionkey", "[\"p\"]").partition()).isPresent();
        assertThat(scope("x-ms-start-epk", "1F").epkRange()).isPresent();
        assertThat(scope("x-ms-end-epk", "1F").epkRange()).isPresent();
        assertThat(scope("accept", "*/*")).isEqualTo(Scope.ALL);
    }

    private static Scope scope(String header, String value) {
        return ((Operation.ListItems) read(TestRequest.get(ITEMS).header(header, value))).scope();
    }

    @ParameterizedTest
    @ValueSource(strings = {"p", "\"p\"", "{}", "[", "[\"p\"] x", "[[1]]", "[{\"a\":1}]"})
    void aPartitionKeyThatIsNoneIsABadRequest(String header) {
        assertRefused(400, () -> read(TestRequest.get(ITEM).header("x-ms-documentdb-partitionkey", header)));
    }

    @Test
    void conditionsArePassedOnAsTheyAre() {
        var read = (Operation.ReadItem) read(TestRequest.get(ITEM).header("if-none-match", "\"e1\""));
        assertThat(read.precondition()).isEqualTo(new Precondition(Optional.empty(), Optional.of("\"e1\"")));
        var write = (Operation.WriteItem) read(TestRequest.of("DELETE", ITEM).header("if-match", "*"));
        assertThat(write.write().precondition()).isEqualTo(new Precondition(Optional.of("*"), Optional.empty()));
    }

    @Test
    void triggersAreListsOfNames() {
        var write = (Operation.WriteItem) read(TestRequest.post(ITEMS, "{}")
                .header("x-ms-documentdb-pre-trigger-include", "a, b")
                .header("x-ms-documentdb-post-trigger-include", "c"));
        assertThat(write.triggers()).isEqualTo(new Triggers(List.of("a", "b"), List.of("c")));
    }

    @Test
    void aWriteSaysWhetherItWantsToBeIndexed() {
        assertThat(directive("EXCLUDE")).isEqualTo(IndexingDirective.EXCLUDE);
        assertThat(directive("Include")).isEqualTo(IndexingDirective.INCLUDE);
        assertThat(directive("Default")).isEqualTo(IndexingDirective.DEFAULT);
        assertThat(((Operation.WriteItem) read(TestRequest.post(ITEMS, "{}"))).indexing())
                .isEqualTo(IndexingDirective.DEFAULT);
        assertThatThrownBy(() -> directive("sometimes")).hasMessageContaining("Include, Exclude or Default");
    }

    private static IndexingDirective directive(String text) {
        return ((Operation.WriteItem) read(TestRequest.post(ITEMS, "{}").header("x-ms-indexing-directive", text)))
                .indexing();
    }

    @Test
    void rangesAreReadSinceAnEtagOnlyWhenChangesAreAskedFor() {
        var path = "/dbs/d/colls/c/pkranges";
        var changes =
                read(TestRequest.get(path).header("a-im", "Incremental feed").header("if-none-match", "\"7\""));
        assertThat(((Operation.ReadRanges) changes).since()).contains("\"7\"");
        var all = read(TestRequest.get(path).header("if-none-match", "\"7\""));
        assertThat(((Operation.ReadRanges) all).since()).isEmpty();
    }

    @Test
    void throughputIsManualAutomaticOrLeftOpen() {
        assertThat(throughput(TestRequest.post("/dbs", "{}"))).isEmpty();
        assertThat(throughput(TestRequest.post("/dbs", "{}").header("x-ms-offer-throughput", "400")))
                .contains(new Throughput.Manual(400));
        assertThat(throughput(TestRequest.post("/dbs", "{}")
                        .header("x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000,\"more\":{}}")))
                .hasValueSatisfying(
                        throughput -> assertThat(throughput.requestUnitsMax()).isEqualTo(4000));
    }

    private static Optional<Throughput> throughput(TestRequest request) {
        return ((Operation.CreateResource) read(request)).throughput();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        x-ms-offer-throughput                | lots
        x-ms-offer-throughput                | -400
        x-ms-cosmos-offer-autopilot-settings | 4000
        x-ms-cosmos-offer-autopilot-settings | {}
        x-ms-cosmos-offer-autopilot-settings | {"maxThroughput":"4000"}
        x-ms-cosmos-offer-autopilot-settings | {"maxThroughput":0.5}
        x-ms-cosmos-offer-autopilot-settings | {"maxThroughput":1e300}
        x-ms-cosmos-offer-autopilot-settings | {"maxThroughput
        """)
    void throughputThatMakesNoSenseIsABadRequest(String header, String value) {
        assertRefused(400, () -> read(TestRequest.post("/dbs", "{}").header(header, value)));
    }

    @Test
    void anOfferIsReplacedByOneOfTheOtherKindOnlyWhenAskedFor() {
        assertThat(migration(TestRequest.of("PUT", "/offers/Ab12"))).isEqualTo(Migration.NONE);
        assertThat(migration(
                        TestRequest.of("PUT", "/offers/Ab12").header("x-ms-cosmos-migrate-offer-to-autopilot", "true")))
                .isEqualTo(Migration.TO_AUTOSCALE);
        assertThat(migration(TestRequest.of("PUT", "/offers/Ab12")
                        .header("x-ms-cosmos-migrate-offer-to-manual-throughput", "True")))
                .isEqualTo(Migration.TO_MANUAL);
    }

    private static Migration migration(TestRequest request) {
        return ((Operation.ReplaceResource) read(request)).migration();
    }

    @Test
    void bothKindsOfThroughputAtOnceAreABadRequest() {
        assertRefused(
                400,
                () -> read(TestRequest.post("/dbs", "{}")
                        .header("x-ms-offer-throughput", "400")
                        .header("x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000}")));
    }

    @Test
    void theLifeOfATokenIsReadForPermissionsOnly() {
        var path = "/dbs/d/users/u/permissions/p";
        assertThat(tokenSeconds(TestRequest.get(path))).isZero();
        assertThat(tokenSeconds(TestRequest.get(path).header("x-ms-documentdb-expiry-seconds", "7200")))
                .isEqualTo(7200);
        assertThat(tokenSeconds(TestRequest.get("/dbs/d").header("x-ms-documentdb-expiry-seconds", "junk")))
                .isZero();
        for (var wrong : List.of("junk", "0", "-1", "1.5")) {
            assertRefused(400, () -> read(TestRequest.get(path).header("x-ms-documentdb-expiry-seconds", wrong)));
        }
    }

    private static int tokenSeconds(TestRequest request) {
        return ((Operation.ReadResource) read(request)).tokenSeconds();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET    | /dbs/d/colls/c/docs/i/attachments | Attachments
        """)
    void whatComesLaterIsRefusedByName(String method, String path, String name) {
        assertRefused(501, () -> read(TestRequest.of(method, path)));
        assertThatThrownBy(() -> read(TestRequest.of(method, path))).hasMessageContaining(name);
    }

    @Test
    void deletingAPartitionNeedsItsKey() {
        var path = "/dbs/d/colls/c/operations/partitionkeydelete";
        assertRefused(400, () -> read(TestRequest.of("POST", path)));
        assertThat(read(TestRequest.of("POST", path).header("x-ms-documentdb-partitionkey", "[\"p\"]")))
                .isInstanceOf(Operation.DeletePartition.class);
    }

    @Test
    void aBodyOverTheLimitIsTooLarge() {
        assertRefused(413, () -> read(TestRequest.of("POST", ITEMS).body(new byte[Limits.REQUEST_BYTES_MAX + 1])));
    }

    // ---- batches ----

    @Test
    void aBatchKeepsTheTextOfItsItemsAndItsConditions() {
        var batch = batch("""
            [{"operationType":"Create","resourceBody":{"id":"a","n":1.0e2,  "z":[ 1 ]}},
             {"operationType":"upsert","resourceBody":{"id":"b"},"partitionKey":"[\\"p\\"]","minimalReturnPreference":true},
             {"operationType":"Replace","id":"c","resourceBody":{"id":"c"},"ifMatch":"\\"e\\""},
             {"operationType":"Delete","id":"d","ifMatch":""},
             {"operationType":"Read","id":"e","ifNoneMatch":"*"},
             {"operationType":"Patch","id":"f","resourceBody":{"operations":[{"op":"set","path":"/v","value":5}]}},
             {"operationType":"Patch","id":"g","resourceBody":[{"op":"set","path":"/v","value":5}]}]
            """);
        assertThat(batch.items()).hasSize(7);
        var create = (ItemWrite.Create) write(batch, 0);
        assertThat(new String(create.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"a\",\"n\":1.0e2,  \"z\":[ 1 ]}");
        assertThat(batch.items().get(1).partition()).isPresent();
        assertThat(batch.items().get(1).minimal()).isTrue();
        assertThat(write(batch, 2).precondition().ifMatch()).contains("\"e\"");
        assertThat(write(batch, 3).precondition()).isEqualTo(Precondition.NONE);
        assertThat(batch.items().get(4).action())
                .isEqualTo(new BatchAction.Read("e", new Precondition(Optional.empty(), Optional.of("*"))));
        assertThat(write(batch, 5)).isInstanceOf(ItemWrite.Patch.class);
        assertThat(write(batch, 6)).isInstanceOf(ItemWrite.Patch.class);
    }

    private static ItemWrite write(Operation.Batch batch, int position) {
        return ((BatchAction.Write) batch.items().get(position).action()).write();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "[1]",
                "[{}]",
                "[{\"operationType\":\"Destroy\"}]",
                "[{\"operationType\":7}]",
                "[{\"operationType\":\"Read\"}]",
                "[{\"operationType\":\"Read\",\"id\":7}]",
                "[{\"operationType\":\"Create\"}]",
                "[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":}}]",
                "[{\"operationType\":\"Patch\",\"id\":\"i\"}]",
                "[{\"operationType\":\"Create\",\"resourceBody\":{},\"partitionKey\":\"p\"}]"
            })
    void aBatchThatIsMalformedIsABadRequest(String body) {
        assertRefused(400, () -> batch(body));
    }

    @Test
    void aBatchHasAHundredOperationsAtMost() {
        var one = "{\"operationType\":\"Read\",\"id\":\"i\"}";
        assertThat(batch("[" + "%s,".formatted(one).repeat(99) + one + "]").items())
                .hasSize(100);
        assertRefused(400, () -> batch("[" + "%s,".formatted(one).repeat(100) + one + "]"));
    }

    @Test
    void aBatchIsToldFromItsFirstByteToBeBinary() {
        var batch = (Operation.Batch) read(TestRequest.of("POST", ITEMS)
                .header("x-ms-cosmos-is-batch-request", "True")
                .header("x-ms-cosmos-batch-atomic", "True")
                .body(Frames.stream(Frames.operation(2, null, "i", null))));
        assertThat(batch.atomic()).isTrue();
        assertThat(batch.items())
                .extracting(BatchItem::action)
                .containsExactly(new BatchAction.Read("i", Precondition.NONE));
    }

    @Test
    void aRefusalNamesTheOperationOfTheBatch() {
        assertThatThrownBy(() -> batch("[{\"operationType\":\"Read\",\"id\":\"i\"},{\"operationType\":\"Read\"}]"))
                .hasMessageContaining("Operation 2 of the batch");
    }

    private static Operation.Batch batch(String body) {
        return (Operation.Batch) read(TestRequest.post(ITEMS, body).header("x-ms-cosmos-is-batch-request", "true"));
    }

    // ---- the caller ----

    @Test
    void theTermsOfTheCallerAreReadFromAnyRequest() {
        var caller = caller(TestRequest.get(ITEM)
                .header("x-ms-session-token", "0:-1#12,1:-1#11")
                .header("x-ms-consistency-level", "eventual")
                .header("x-ms-cosmos-intended-collection-rid", "AQIDBIAAAAE="));
        assertThat(caller.session()).isPresent();
        assertThat(caller.consistency()).contains(ConsistencyLevel.EVENTUAL);
        assertThat(caller.intended().containerRid()).contains("AQIDBIAAAAE=");
        assertThat(caller(TestRequest.get(ITEM))).isEqualTo(Caller.owner());
    }

    @Test
    void anUnknownConsistencyLevelIsABadRequest() {
        assertRefused(400, () -> caller(TestRequest.get(ITEM).header("x-ms-consistency-level", "Perfect")));
    }

    private static Caller caller(TestRequest request) {
        return CallerReader.read(new Caller.Principal.Owner(), new TypedHeaders(request.unsigned()));
    }

    private static Operation read(TestRequest built) {
        var request = built.unsigned();
        return OperationReader.read(Route.parse(request.rawPath()), request, new TypedHeaders(request), false);
    }

    private static void assertRefused(int status, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(WireStatus.of(refused.failure()).status())
                                .isEqualTo(status));
    }
}
