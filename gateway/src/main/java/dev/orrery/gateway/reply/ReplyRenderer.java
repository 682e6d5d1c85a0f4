package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.gateway.http.BodyStream;
import dev.orrery.gateway.http.HeaderBlock;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.hybridrow.RecordStream;
import dev.orrery.gateway.request.ReplyWish;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.gateway.route.Route;
import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import java.util.List;

/** Turns the outcome of an operation into the reply that SDKs expect. */
public final class ReplyRenderer {
    private static final String SCRIPT_LOG = "x-ms-documentdb-script-log-results";

    // Tells SDKs in which order of their rids rows with equal sort values come.
    private static final HeaderBlock TIES_ASCEND = tiesDescend(false);
    private static final HeaderBlock TIES_DESCEND = tiesDescend(true);

    // Attachments are of the past, but clients read how much room there is for them.
    private static final HeaderBlock MEDIA =
            HeaderBlock.of("x-ms-max-media-storage-usage-mb", "0", "x-ms-media-storage-usage-mb", "0");

    private static final HeaderBlock QUOTA = HeaderBlock.of("x-ms-resource-quota", Usage.QUOTA);

    private final AccountRoot accountRoot;
    private final CrossOrigin crossOrigin;
    private final String agent;
    private final HeaderBlock always;
    private final HeaderBlock withBody;
    private final HeaderBlock withBinary;
    private final HeaderBlock withEvents;

    /**
     * Needs to know what is the same in every reply.
     *
     * @param version of the product
     * @param startedOn as an HTTP date: when the state of this server last changed
     */
    public ReplyRenderer(AccountRoot accountRoot, CrossOrigin crossOrigin, String version, String startedOn) {
        this.accountRoot = accountRoot;
        this.crossOrigin = crossOrigin;
        this.agent = "orrery/" + version;
        this.always = HeaderBlock.of(
                "x-ms-schemaversion",
                "1.19",
                "x-ms-serviceversion",
                "version=" + version,
                "x-ms-gatewayversion",
                "version=" + version,
                "x-ms-last-state-change-utc",
                startedOn);
        this.withBody = HeaderBlock.of("Content-Type", "application/json");
        this.withBinary = HeaderBlock.of("Content-Type", "application/octet-stream");
        this.withEvents = HeaderBlock.of("Content-Type", "text/event-stream", "Cache-Control", "no-store");
    }

    private static HeaderBlock tiesDescend(boolean descend) {
        return HeaderBlock.of(
                "x-ms-cosmos-query-execution-info",
                "{\"reverseRidEnabled\":false,\"reverseIndexScan\":" + descend + "}");
    }

    /** The status of an answer, whether it stands alone or in a batch. */
    static int status(Answer answer) {
        return switch (answer) {
            case Answer.Resource resource -> resource.change() == Change.CREATED ? 201 : 200;
            case Answer.Account _, Answer.Feed _, Answer.Plan _, Answer.Executed _, Answer.Progress _ -> 200;
            case Answer.Batch(var results) ->
                results.stream().allMatch(result -> status(result.answer()) < 300) ? 200 : 207;
            case Answer.Deleted _ -> 204;
            case Answer.NotModified _ -> 304;
            case Answer.Refused(var failure) -> WireStatus.of(failure).status();
        };
    }

    public HttpReply render(Exchange exchange, Outcome outcome, long nanos) {
        var reply = begin(status(outcome.answer()), exchange, outcome, nanos);
        query(reply, exchange, outcome.facts());
        answer(reply, exchange, outcome.answer());
        return reply.build();
    }

    /** A document that the gateway has made itself. */
    public HttpReply document(Exchange exchange, byte[] json) {
        return begin(200, exchange, Outcome.NOTHING, 0)
                .headers(withBody)
                .body(json)
                .build();
    }

    /** The reply to which a stream of events is the body; the outcome is that of its first page. */
    public HttpReply stream(Exchange exchange, Outcome first, long nanos, BodyStream events) {
        return begin(200, exchange, first, nanos).headers(withEvents).stream(events)
                .build();
    }

    private HttpReply.Builder begin(int status, Exchange exchange, Outcome outcome, long nanos) {
        var reply = HttpReply.status(status)
                .headers(always)
                .header("x-ms-activity-id", exchange.activityId())
                .header("x-ms-request-charge", Decimals.hundredths(outcome.charge()))
                .header("x-ms-request-duration-ms", Decimals.millis(nanos));
        if (exchange.wants(ReplyWish.CHARGE_DETAILS)) {
            reply.header("x-orrery-charge-details", BillHeader.text(outcome.bill()));
        }
        crossOrigin.allow(exchange.request(), reply);
        facts(reply, outcome.facts());
        return reply;
    }

    private static void facts(HttpReply.Builder reply, Facts facts) {
        facts.etag().ifPresent(etag -> reply.header("etag", etag));
        facts.sessionToken().ifPresent(token -> reply.header("x-ms-session-token", token));
        facts.rangeId().ifPresent(id -> reply.header("x-ms-documentdb-partitionkeyrangeid", id));
        facts.lsn().ifPresent(lsn -> reply.header("lsn", Long.toString(lsn)));
        facts.itemLsn().ifPresent(lsn -> reply.header("x-ms-item-lsn", Long.toString(lsn)));
        facts.continuation().ifPresent(token -> reply.header("x-ms-continuation", token));
        facts.owner()
                .ifPresent(
                        owner -> reply.header("x-ms-alt-content-path", PercentCoding.encodeForHeader(owner.namePath()))
                                .header("x-ms-content-path", owner.rid()));
        facts.terms()
                .ifPresent(
                        offer -> reply.header("x-ms-cosmos-min-throughput", Integer.toString(offer.requestUnitsLeast()))
                                .header("x-ms-offer-replace-pending", Boolean.toString(offer.replacePending())));
        facts.usage().ifPresent(usage -> reply.headers(QUOTA).header("x-ms-resource-usage", usage.text()));
        facts.indexProgressPercent()
                .ifPresent(percent -> reply.header(
                        "x-ms-documentdb-collection-index-transformation-progress", Integer.toString(percent)));
    }

    private static void query(HttpReply.Builder reply, Exchange exchange, Facts facts) {
        if (exchange.operation().orElse(null) instanceof Operation.QueryItems) {
            facts.queryMetrics()
                    .ifPresent(metrics -> reply.headers(metrics.tiesDescend() ? TIES_DESCEND : TIES_ASCEND));
            facts.queryMetrics()
                    .filter(_ -> exchange.wants(ReplyWish.QUERY_METRICS))
                    .ifPresent(
                            metrics -> reply.header("x-ms-documentdb-query-metrics", StatisticsHeaders.query(metrics)));
            facts.queryMetrics()
                    .filter(metrics -> !metrics.advice().isEmpty())
                    .ifPresent(metrics -> reply.header("x-ms-cosmos-query-advice", QueryAdviceHeader.text(metrics)));
            facts.queryMetrics()
                    .flatMap(QueryMetrics::explanation)
                    .ifPresent(explanation -> explain(reply, exchange, explanation));
        }
    }

    private static void explain(HttpReply.Builder reply, Exchange exchange, Explanation explanation) {
        if (exchange.wants(ReplyWish.EXPLANATION)) {
            reply.header("x-orrery-explain", ExplanationHeader.text(explanation));
        }
        var metrics = explanation.indexes().metrics();
        if (exchange.wants(ReplyWish.INDEX_METRICS)) {
            reply.header("x-ms-cosmos-index-utilization", IndexMetricsHeader.text(metrics));
        } else if (exchange.wants(ReplyWish.CLASSIC_INDEX_METRICS)) {
            reply.header("x-ms-cosmos-index-utilization", IndexMetricsHeader.classic(metrics));
        }
    }

    private void answer(HttpReply.Builder reply, Exchange exchange, Answer answer) {
        switch (answer) {
            case Answer.Resource(var change, var json) -> {
                if (change == Change.READ || !exchange.wants(ReplyWish.MINIMAL)) {
                    reply.headers(withBody).body(wantsBareItems(exchange) ? BareItem.json(json) : json);
                }
            }
            case Answer.Account _ -> reply.headers(MEDIA).headers(withBody).body(accountRoot.json(exchange.request()));
            case Answer.Feed feed ->
                reply.header("x-ms-item-count", Integer.toString(feed.rows().size()))
                        .headers(withBody)
                        .body(FeedBody.json(wantsBareItems(exchange) ? BareItem.feed(feed) : feed));
            case Answer.Batch(var results) -> batch(reply, exchange, results);
            case Answer.Plan(var json) -> reply.headers(withBody).body(json);
            case Answer.Executed(var json, var log) -> {
                log.ifPresent(text -> reply.header(SCRIPT_LOG, PercentCoding.encode(text)));
                reply.headers(withBody).body(json);
            }
            case Answer.Refused(var failure) -> refusal(reply, exchange, failure);
            case Answer.Deleted _, Answer.NotModified _, Answer.Progress _ -> {}
        }
    }

    /** In the form of the request: a client that sends binary reads nothing else. */
    private void batch(HttpReply.Builder reply, Exchange exchange, List<BatchResult> results) {
        var items = ((Operation.Batch) exchange.operation().orElseThrow()).items();
        if (RecordStream.begins(exchange.request().body())) {
            reply.headers(withBinary).body(BatchBody.binary(results, items, failure -> error(exchange, failure)));
        } else {
            reply.headers(withBody).body(BatchBody.json(results, items));
        }
    }

    /** What a client is told of a refusal: JSON on one line. */
    public byte[] error(Exchange exchange, Failure failure) {
        return ErrorBody.json(failure, exchange.activityId(), agent);
    }

    /** Gateways tell a batch that its container is gone without a substatus; copies of ranges do say it. */
    private static boolean isBatchOverHttp(Exchange exchange) {
        return exchange.operation().orElse(null) instanceof Operation.Batch && !exchange.wants(ReplyWish.OF_COPY);
    }

    /** Whether items are to come without what the server has added to them; rows of queries are what the query says. */
    private static boolean wantsBareItems(Exchange exchange) {
        return exchange.wants(ReplyWish.BARE_ITEMS)
                && exchange.operation().filter(ReplyRenderer::isOfItems).isPresent();
    }

    private static boolean isOfItems(Operation operation) {
        return operation instanceof Operation.ReadItem
                || operation instanceof Operation.WriteItem
                || operation instanceof Operation.ListItems;
    }

    private void refusal(HttpReply.Builder reply, Exchange exchange, Failure failure) {
        int substatus = WireStatus.of(failure).substatus();
        if (substatus != 0 && !(failure instanceof Failure.OwnerNotFound && isBatchOverHttp(exchange))) {
            reply.header("x-ms-substatus", Integer.toString(substatus));
        }
        if (failure instanceof Failure.Throttled throttled) {
            reply.header("x-ms-retry-after-ms", Long.toString(throttled.retryAfterMillis()));
        }
        if (failure instanceof Failure.ScriptFailed script && !script.log().isEmpty()) {
            reply.header(SCRIPT_LOG, PercentCoding.encode(script.log()));
        }
        if (failure instanceof Failure.MethodNotAllowed) {
            var allowed = Route.parse(exchange.request().rawPath()).target().methods();
            reply.header("Allow", String.join(", ", allowed));
        }
        reply.headers(withBody).body(error(exchange, failure));
    }
}
