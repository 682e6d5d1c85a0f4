package dev.orrery.gateway.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.IndexMetrics.Composite;
import dev.orrery.engine.operation.IndexMetrics.Impact;
import dev.orrery.engine.operation.IndexMetrics.Indexes;
import dev.orrery.engine.operation.IndexMetrics.Single;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.engine.operation.Outcome.Extent;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.IndexUse;
import dev.orrery.engine.operation.Outcome.Offer;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.engine.operation.Outcome.ScriptCounts;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.hybridrow.Frames;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplyRendererTest {
    private static final String ACTIVITY = "11111111-2222-4333-8444-555555555555";
    private static final Address CONTAINER =
            Address.ACCOUNT.child(ResourceKind.DATABASE, "d").child(ResourceKind.CONTAINER, "c");

    private final ReplyRenderer renderer = new ReplyRenderer(
            new AccountRoot(
                    () -> AccountDescription.of("orrery", "Local", ConsistencyLevel.SESSION), Advertised.AS_USED),
            CrossOrigin.LOCAL_PAGES,
            "1.2.3",
            "Sun, 15 Nov 2026 18:19:28 GMT");

    @Test
    void everyReplySaysWhoAnsweredAndWhatItCost() {
        var reply = render(TestRequest.get("/dbs/d"), new Answer.Deleted(), 2.8349, Facts.NONE);
        assertThat(reply.header("x-ms-activity-id")).contains(ACTIVITY);
        assertThat(reply.header("x-ms-request-charge")).contains("2.83");
        assertThat(reply.header("x-ms-request-duration-ms")).contains("1.5");
        assertThat(reply.header("x-ms-serviceversion")).contains("version=1.2.3");
        assertThat(reply.header("x-ms-gatewayversion")).contains("version=1.2.3");
        assertThat(reply.header("x-ms-schemaversion")).isPresent();
        assertThat(reply.header("x-ms-last-state-change-utc")).contains("Sun, 15 Nov 2026 18:19:28 GMT");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1,1",
        "10,10",
        "10.5,10.5",
        "2.83,2.83",
        "0.05,0.05",
        "0.004,0",
        "100.999,101",
        "1234567.1,1234567.1"
    })
    void chargesAreDecimalNumbersWithoutZerosAtTheEnd(double charge, String text) {
        var reply = render(TestRequest.get("/dbs/d"), new Answer.Deleted(), charge, Facts.NONE);
        assertThat(reply.header("x-ms-request-charge")).contains(text);
    }

    @Test
    void everyAnswerHasItsStatus() {
        assertThat(status(resource(Change.READ))).isEqualTo(200);
        assertThat(status(resource(Change.REPLACED))).isEqualTo(200);
        assertThat(status(resource(Change.CREATED))).isEqualTo(201);
        assertThat(status(new Answer.Deleted())).isEqualTo(204);
        assertThat(status(new Answer.NotModified())).isEqualTo(304);
        assertThat(status(new Answer.Refused(new Failure.Conflict("taken")))).isEqualTo(409);
    }

    private int status(Answer answer) {
        return render(TestRequest.get("/dbs/d"), answer, 1, Facts.NONE).status();
    }

    @Test
    void writesGoWithoutABodyWhenTheClientPrefersThat() {
        var write = TestRequest.post("/dbs/d/colls/c/docs", "{}").header("prefer", "return=minimal");
        assertThat(render(write, resource(Change.CREATED), 1, Facts.NONE).body())
                .isEmpty();
        assertThat(render(write, resource(Change.REPLACED), 1, Facts.NONE).body())
                .isEmpty();
        assertThat(render(write, resource(Change.READ), 1, Facts.NONE).body()).hasSize(1);
        assertThat(render(TestRequest.post("/dbs", "{}"), resource(Change.CREATED), 1, Facts.NONE)
                        .body())
                .hasSize(1);
    }

    @Test
    void factsBecomeHeaders() {
        var usage = new Usage(20, 1025, Optional.of(new ScriptCounts(1, 2, 3)));
        var facts = Facts.ofRange(
                        new Owner("dbs/d/colls/c", "AQIDBIAAAAE="),
                        "0",
                        "0:-1#12",
                        12,
                        Optional.of("\"e1\""),
                        Optional.of(11L))
                .withPage(Optional.of("next"), Optional.empty())
                .withOffer(new Offer(400, true))
                .withExtent(new Extent(Optional.of(usage), Optional.of(100)));
        var reply = render(TestRequest.get("/dbs/d"), new Answer.NotModified(), 1, facts);
        assertThat(reply.header("etag")).contains("\"e1\"");
        assertThat(reply.header("x-ms-session-token")).contains("0:-1#12");
        assertThat(reply.header("x-ms-documentdb-partitionkeyrangeid")).contains("0");
        assertThat(reply.header("lsn")).contains("12");
        assertThat(reply.header("x-ms-item-lsn")).contains("11");
        assertThat(reply.header("x-ms-alt-content-path")).contains("dbs/d/colls/c");
        assertThat(reply.header("x-ms-content-path")).contains("AQIDBIAAAAE=");
        assertThat(reply.header("x-ms-continuation")).contains("next");
        assertThat(reply.header("x-ms-cosmos-min-throughput")).contains("400");
        assertThat(reply.header("x-ms-offer-replace-pending")).contains("true");
        assertThat(reply.header("x-ms-resource-usage").orElseThrow())
                .contains("documentsCount=20;")
                .contains("documentsSize=2;")
                .contains("collectionSize=2;")
                .contains("functions=3");
        assertThat(reply.header("x-ms-resource-quota").orElseThrow()).contains("collectionSize=");
        assertThat(reply.header("x-ms-documentdb-collection-index-transformation-progress"))
                .contains("100");
    }

    @Test
    void namesThatAHeaderCannotHoldAreEscaped() {
        var facts = Facts.ofResource(Optional.empty(), Optional.of(new Owner("dbs/你 好/colls/100%+", "AQIDBIAAAAE=")));
        assertThat(render(TestRequest.get("/dbs/d"), new Answer.NotModified(), 1, facts)
                        .header("x-ms-alt-content-path"))
                .contains("dbs/%E4%BD%A0 %E5%A5%BD/colls/100%25+");
    }

    @Test
    void aFeedIsAnEnvelopeWithItsRowsAndTheirNumber() {
        var feed = new Answer.Feed(ResourceKind.ITEM, "AQIDBIAAAAE=", List.of(bytes("{\"id\":\"a\"}"), bytes("5")));
        var reply = render(TestRequest.get("/dbs/d/colls/c/docs"), feed, 1, Facts.NONE);
        assertThat(text(reply)).isEqualTo("{\"_rid\":\"AQIDBIAAAAE=\",\"Documents\":[{\"id\":\"a\"},5],\"_count\":2}");
        assertThat(reply.header("x-ms-item-count")).contains("2");
        assertThat(feed.rows().getFirst().remaining()).isEqualTo(10);

        var empty = new Answer.Feed(ResourceKind.DATABASE, "", List.of());
        assertThat(text(render(TestRequest.get("/dbs"), empty, 1, Facts.NONE)))
                .isEqualTo("{\"_rid\":\"\",\"Databases\":[],\"_count\":0}");
    }

    @Test
    void aQueryTellsItsMetricsWhenAskedAndItsOrderAlways() {
        var facts = Facts.NONE.withPage(
                Optional.empty(),
                Optional.of(
                        new QueryMetrics(10, 2000, 5, 1000, 3_456_789, 456_789, true, Optional.empty(), List.of())));
        var feed = new Answer.Feed(ResourceKind.ITEM, "r", List.of());
        var operation =
                new Operation.QueryItems(CONTAINER, Scope.ALL, new QueryText(new byte[0]), Page.FIRST, Set.of());
        var asked =
                TestRequest.post("/dbs/d/colls/c/docs", "{}").header("x-ms-documentdb-populatequerymetrics", "True");
        var reply = render(asked, operation, feed, facts);
        assertThat(reply.header("x-ms-cosmos-query-execution-info"))
                .contains("{\"reverseRidEnabled\":false,\"reverseIndexScan\":true}");
        assertThat(reply.header("x-ms-documentdb-query-metrics").orElseThrow())
                .startsWith("totalExecutionTimeInMs=3.457;queryCompileTimeInMs=0.457;")
                .contains(";VMExecutionTimeInMs=3;")
                .contains(";retrievedDocumentCount=10;")
                .contains(";outputDocumentCount=5;")
                .endsWith(";indexUtilizationRatio=0.5");

        var notAsked = render(TestRequest.post("/dbs/d/colls/c/docs", "{}"), operation, feed, facts);
        assertThat(notAsked.header("x-ms-documentdb-query-metrics")).isEmpty();
        assertThat(notAsked.header("x-orrery-explain")).isEmpty();
    }

    @Test
    void adviceIsAPercentEncodedList() {
        var facts = Facts.NONE.withPage(
                Optional.empty(),
                Optional.of(new QueryMetrics(1, 1, 1, 1, 1, 1, false, Optional.empty(), List.of("QA1002", "QA1007"))));
        var feed = new Answer.Feed(ResourceKind.ITEM, "r", List.of());
        var operation = new Operation.QueryItems(
                CONTAINER, Scope.ALL, new QueryText(new byte[0]), Page.FIRST, Set.of(QueryWish.ADVICE));
        var reply = render(TestRequest.post("/dbs/d/colls/c/docs", "{}"), operation, feed, facts);
        assertThat(URLDecoder.decode(reply.header("x-ms-cosmos-query-advice").orElseThrow(), StandardCharsets.UTF_8))
                .isEqualTo("[{\"Id\":\"QA1002\",\"Params\":[]},{\"Id\":\"QA1007\",\"Params\":[]}]");
    }

    @Test
    void anExplanationIsOneLineOfAscii() {
        var none = new Indexes(List.of(), List.of());
        var explanation = new Explanation(
                Access.PARTITIONS,
                2,
                1,
                5,
                true,
                List.of("filter (c.ä = \"😀\\n\")"),
                new IndexUse(List.of("/a/? = 1"), 7, List.of("hint"), new IndexMetrics(none, none)));
        var facts = Facts.NONE.withPage(
                Optional.empty(),
                Optional.of(new QueryMetrics(10, 2000, 5, 1000, 1, 1, false, Optional.of(explanation), List.of())));
        var operation = new Operation.QueryItems(
                CONTAINER, Scope.ALL, new QueryText(new byte[0]), Page.FIRST, Set.of(QueryWish.EXPLANATION));
        var reply = render(
                TestRequest.post("/dbs/d/colls/c/docs", "{}").header("x-orrery-explain", "true"),
                operation,
                new Answer.Feed(ResourceKind.ITEM, "r", List.of()),
                facts);
        assertThat(reply.header("x-orrery-explain"))
                .contains(
                        "{\"access\":\"partitions\",\"places\":2,\"ranges\":1,\"rangesOfContainer\":5,\"resumes\":true,\"steps\":[\"filter"
                            + " (c.\\u00e4 = \\\"\\ud83d\\ude00\\\\n"
                            + "\\\")\"],\"indexes\":[\"/a/? = 1\"],\"entriesRead\":7,\"hints\":[\"hint\"]}");
    }

    @Test
    void indexMetricsComeInTheFormThatIsAskedFor() {
        var metrics = new IndexMetrics(
                new Indexes(List.of(new Single("/a b/?", Impact.HIGH)), List.of()),
                new Indexes(List.of(), List.of(new Composite(List.of("/a ASC", "/b DESC"), true, Impact.LOW))));
        var escaped = indexMetrics(metrics, "x-ms-cosmos-populateindexmetrics-V2");
        assertThat(escaped).doesNotContain("+", " ", "\"");
        assertThat(URLDecoder.decode(escaped, StandardCharsets.UTF_8))
                .isEqualTo("{\"UtilizedIndexes\":{\"SingleIndexes\":[{\"IndexSpec\":\"/a b/?\","
                        + "\"IndexImpactScore\":\"High\"}],\"CompositeIndexes\":[]},\"PotentialIndexes\":"
                        + "{\"SingleIndexes\":[],\"CompositeIndexes\":[{\"IndexSpecs\":[\"/a ASC\",\"/b DESC\"],"
                        + "\"IndexImpactScore\":\"Low\"}]}}");
        assertThat(new String(
                        Base64.getDecoder().decode(indexMetrics(metrics, "x-ms-cosmos-populateindexmetrics")),
                        StandardCharsets.UTF_8))
                .isEqualTo("{\"UtilizedSingleIndexes\":[{\"FilterExpression\":\"\",\"IndexSpec\":\"/a b/?\","
                        + "\"FilterPreciseSet\":true,\"IndexPreciseSet\":true,\"IndexImpactScore\":\"High\"}],"
                        + "\"PotentialSingleIndexes\":[],\"UtilizedCompositeIndexes\":[],"
                        + "\"PotentialCompositeIndexes\":[{\"IndexSpecs\":[\"/a ASC\",\"/b DESC\"],"
                        + "\"IndexPreciseSet\":true,\"IndexImpactScore\":\"Low\"}]}");
    }

    private String indexMetrics(IndexMetrics metrics, String asking) {
        var explanation =
                new Explanation(Access.INDEX, 1, 1, 1, true, List.of(), new IndexUse(List.of(), 0, List.of(), metrics));
        var facts = Facts.NONE.withPage(
                Optional.empty(),
                Optional.of(new QueryMetrics(1, 1, 1, 1, 1, 1, false, Optional.of(explanation), List.of())));
        var reply = render(
                TestRequest.post("/dbs/d/colls/c/docs", "{}").header(asking, "true"),
                new Operation.QueryItems(
                        CONTAINER, Scope.ALL, new QueryText(new byte[0]), Page.FIRST, Set.of(QueryWish.EXPLANATION)),
                new Answer.Feed(ResourceKind.ITEM, "r", List.of()),
                facts);
        assertThat(reply.header("x-orrery-explain")).isEmpty();
        return reply.header("x-ms-cosmos-index-utilization").orElseThrow();
    }

    @Test
    void refusalsCarrySubstatusAndPatience() {
        var gone = refused(new Failure.PartitionRangeGone("split"));
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.header("x-ms-substatus")).contains("1002");
        var throttled = refused(new Failure.Throttled(Shortage.THROUGHPUT, "too fast", 17));
        assertThat(throttled.status()).isEqualTo(429);
        assertThat(throttled.header("x-ms-substatus")).contains("3200");
        assertThat(throttled.header("x-ms-retry-after-ms")).contains("17");
        assertThat(refused(new Failure.NotFound("no")).header("x-ms-substatus")).isEmpty();
    }

    @Test
    void aWrongQueryIsPointedAt() {
        var body = json(refused(new Failure.QuerySyntax("Syntax error near 'FORM'.", "SC1001", 9, 13)));
        assertThat(((JsonValue.Str) body.member("message")).value())
                .isEqualTo("Message: {\"errors\":[{\"severity\":\"Error\",\"location\":{\"start\":9,\"end\":13},"
                        + "\"code\":\"SC1001\",\"message\":\"Syntax error near 'FORM'.\"}]}"
                        + "\r\nActivityId: " + ACTIVITY + ", orrery/1.2.3");
    }

    @Test
    void messagesMayHoldAnyText() {
        var body = json(refused(new Failure.BadRequest("no \"quotes\"\n\u0000 你好")));
        assertThat(((JsonValue.Str) body.member("message")).value()).startsWith("no \"quotes\"\n\u0000 你好\r\n");
    }

    @Test
    void whoMustAskByAPlanIsGivenIt() {
        var reply = refused(
                new Failure.CrossPartitionQuery("Cross partition query only supports ...", "{\"queryRanges\":[]}"));
        assertThat(reply.header("x-ms-substatus")).contains("1004");
        assertThat(json(reply).member("additionalErrorInfo")).isEqualTo(new JsonValue.Str("{\"queryRanges\":[]}"));
    }

    @Test
    void aBatchHasOneResultForEachOperation() {
        var results = List.of(
                new BatchResult(resource(Change.CREATED), bill(6.29), Optional.of("\"e\"")),
                new BatchResult(resource(Change.REPLACED), bill(6), Optional.empty()),
                new BatchResult(resource(Change.READ), bill(1), Optional.empty()),
                new BatchResult(new Answer.Deleted(), bill(5), Optional.empty()),
                new BatchResult(new Answer.NotModified(), bill(1), Optional.empty()));
        var reply = render(batchRequest(), batchOf(5), new Answer.Batch(results), Facts.NONE);
        // Not all that is well is also a success: one of them has nothing to tell.
        assertThat(reply.status()).isEqualTo(207);
        assertThat(text(reply))
                .isEqualTo("[{\"statusCode\":201,\"subStatusCode\":0,\"requestCharge\":6.29,\"eTag\":\"\\\"e\\\"\","
                               + "\"resourceBody\":{\"id\":\"i\"}},"
                               + "{\"statusCode\":200,\"subStatusCode\":0,\"requestCharge\":6},"
                               + "{\"statusCode\":200,\"subStatusCode\":0,\"requestCharge\":1,\"resourceBody\":{\"id\":\"i\"}},"
                               + "{\"statusCode\":204,\"subStatusCode\":0,\"requestCharge\":5},"
                               + "{\"statusCode\":304,\"subStatusCode\":0,\"requestCharge\":1}]");
    }

    @Test
    void aBatchWithAFailureSaysSoAndWhy() {
        var results = List.of(
                new BatchResult(new Answer.Refused(new Failure.Conflict("taken")), bill(1), Optional.empty()),
                new BatchResult(new Answer.Refused(new Failure.FailedDependency("other")), bill(0), Optional.empty()),
                new BatchResult(
                        new Answer.Refused(new Failure.Throttled(Shortage.THROUGHPUT, "slow", 10)),
                        bill(0),
                        Optional.empty()));
        var reply = render(batchRequest(), batchOf(3), new Answer.Batch(results), Facts.NONE);
        assertThat(reply.status()).isEqualTo(207);
        assertThat(text(reply))
                .isEqualTo("[{\"statusCode\":409,\"subStatusCode\":0,\"requestCharge\":1,\"message\":\"taken\"},"
                        + "{\"statusCode\":424,\"subStatusCode\":0,\"requestCharge\":0},"
                        + "{\"statusCode\":429,\"subStatusCode\":3200,\"requestCharge\":0,"
                        + "\"retryAfterMilliseconds\":10,\"message\":\"slow\"}]");
    }

    @Test
    void aBinaryBatchIsAnsweredInBinary() {
        var results = List.of(
                new BatchResult(resource(Change.CREATED), bill(6.29), Optional.of("\"e\"")),
                new BatchResult(new Answer.Deleted(), bill(5), Optional.empty()));
        var reply = render(binaryRequest(), batchOf(2), new Answer.Batch(results), Facts.NONE);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("content-type")).contains("application/octet-stream");
        assertThat(reply.bodyBytes()).isEqualTo(Frames.hex("""
            81 F0D8FF7F 01 0A000000

            81 F1D8FF7F 27000000 E05B8574
            81 7154E17F 0F C9000000 00000000
            03 226522
            0A 7B226964223A2269227D
            10 06 295C8FC2F5281940

            81 F1D8FF7F 18000000 3383F917
            81 7154E17F 03 CC000000 00000000
            10 06 0000000000001440
            """));
    }

    @Test
    void aBinaryBatchWithAFailureSaysSoAndWhy() {
        var large = "x".repeat(70_000);
        var results = List.of(
                new BatchResult(new Answer.Refused(new Failure.Conflict("taken")), bill(1), Optional.empty()),
                new BatchResult(resource(Change.REPLACED), bill(6.123), Optional.of("\"é\"")),
                new BatchResult(new Answer.Resource(Change.READ, bytes(large)), bill(1), Optional.empty()),
                new BatchResult(new Answer.NotModified(), bill(1), Optional.of("\"e\"")),
                new BatchResult(new Answer.Refused(new Failure.FailedDependency("other")), bill(0), Optional.empty()),
                new BatchResult(
                        new Answer.Refused(new Failure.Throttled(Shortage.THROUGHPUT, "slow", 3_000_000_000L)),
                        bill(0),
                        Optional.empty()));
        var reply = render(binaryRequest(), batchOf(6), new Answer.Batch(results), Facts.NONE);
        assertThat(reply.status()).isEqualTo(207);
        assertThat(Frames.results(reply.bodyBytes()))
                .containsExactly(
                        new Frames.Result(409, 0, null, error("Conflict", "taken"), null, 1d),
                        new Frames.Result(200, 0, "\"é\"", null, null, 6.12),
                        new Frames.Result(200, 0, null, large, null, 1d),
                        new Frames.Result(304, 0, "\"e\"", null, null, 1d),
                        new Frames.Result(424, 0, null, null, null, 0d),
                        new Frames.Result(429, 3200, null, error("TooManyRequests", "slow"), 3_000_000_000L, 0d));
    }

    @Test
    void aBinaryBatchThatIsRefusedAsAWholeIsAnsweredInJson() {
        var reply = render(binaryRequest(), new Answer.Refused(new Failure.BadRequest("no")), 0, Facts.NONE);
        assertThat(reply.header("content-type")).contains("application/json");
        assertThat(json(reply).member("code")).isEqualTo(new JsonValue.Str("BadRequest"));
    }

    private static String error(String code, String message) {
        return "{\"code\":\"" + code + "\",\"message\":\"" + message + "\\r\\nActivityId: " + ACTIVITY
                + ", orrery/1.2.3\"}";
    }

    private static TestRequest binaryRequest() {
        return TestRequest.of("POST", "/dbs/d/colls/c/docs").body(Frames.stream());
    }

    private static TestRequest batchRequest() {
        return TestRequest.post("/dbs/d/colls/c/docs", "[]");
    }

    /** A batch of reads, the second of which wants no body back if it should turn out to be a write. */
    private static Operation.Batch batchOf(int size) {
        var items = new ArrayList<BatchItem>();
        for (int i = 0; i < size; i++) {
            items.add(new BatchItem(new BatchAction.Read("i", Precondition.NONE), Optional.empty(), i == 1));
        }
        return new Operation.Batch(CONTAINER, Scope.ALL, items, false, true);
    }

    private HttpReply refused(Failure failure) {
        return render(TestRequest.get("/dbs/d"), new Answer.Refused(failure), 1, Facts.NONE);
    }

    private HttpReply render(TestRequest request, Answer answer, double charge, Facts facts) {
        var exchange = Exchange.begun(request.unsigned(), ACTIVITY, 0);
        return renderer.render(exchange, new Outcome(answer, bill(charge), facts), 1_500_000);
    }

    private HttpReply render(TestRequest request, Operation operation, Answer answer, Facts facts) {
        var exchange = Exchange.begun(request.unsigned(), ACTIVITY, 0).asking(operation, "");
        return renderer.render(exchange, new Outcome(answer, bill(1), facts), 1_500_000);
    }

    private static Answer resource(Change change) {
        return new Answer.Resource(change, bytes("{\"id\":\"i\"}"));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(HttpReply reply) {
        return new String(reply.bodyBytes(), StandardCharsets.UTF_8);
    }

    private static JsonValue.Obj json(HttpReply reply) {
        return (JsonValue.Obj) JsonReader.parse(reply.bodyBytes());
    }

    private static Bill bill(double requestUnits) {
        return Bill.of(Effort.ITEM_READ, requestUnits);
    }
}
