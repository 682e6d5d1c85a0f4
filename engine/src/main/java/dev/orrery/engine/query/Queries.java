package dev.orrery.engine.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.QueryCall.Effects;
import dev.orrery.engine.observe.Refusals;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.Operation.PlanQuery;
import dev.orrery.engine.operation.Operation.QueryItems;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Coverage;
import dev.orrery.sql.plan.NearestSearch;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.plan.QueryAdvice;
import dev.orrery.sql.plan.SdkQueryPlan;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.UserFunctions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Queries over the items of a container, page by page. */
public final class Queries {
    private final Router router;
    private final Prices prices;
    private final InstantSource clock;
    private static final int CACHED_SHARE = 8;
    private static final int QUERY_BYTES_MIN = 256;

    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final FunctionSource functions;
    private final Observer observer;
    private final MemoryBudget memory;
    private final boolean scripted;
    private final Cache<BoundTo, Query> bound;

    /** A text becomes a tree many times its length. */
    private static int bytes(BoundTo key, Query query) {
        return Limits.MEMORY_PER_BODY_BYTE * (QUERY_BYTES_MIN + key.text().length());
    }

    /** The same text means different things in containers with different settings. */
    private record BoundTo(String text, ContainerTraits container) {}

    public Queries(
            Router router,
            Prices prices,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random,
            FunctionSource functions,
            Observer observer,
            MemoryBudget memory) {
        this(
                router,
                prices,
                clock,
                nanos,
                random,
                functions,
                observer,
                memory,
                false,
                Caffeine.newBuilder()
                        .maximumWeight(Math.min(Limits.QUERIES_CACHED_BYTES_MAX, memory.bytesMax() / CACHED_SHARE))
                        .weigher(Queries::bytes)
                        .build());
    }

    private Queries(
            Router router,
            Prices prices,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random,
            FunctionSource functions,
            Observer observer,
            MemoryBudget memory,
            boolean scripted,
            Cache<BoundTo, Query> bound) {
        this.router = router;
        this.prices = prices;
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        this.functions = functions;
        this.observer = observer;
        this.memory = memory;
        this.scripted = scripted;
        this.bound = bound;
    }

    /** The same, with one range as a snapshot shows it, for a script: nobody else asks for it, or could ask otherwise. */
    public Queries seeing(Router.Route frozen) {
        return new Queries(
                router.seeing(frozen), prices, clock, nanos, random, functions, observer, memory, true, bound);
    }

    /** How an SDK is to spread a query over the ranges of a container. */
    public Outcome plan(Container container, PlanQuery operation) {
        var request = QueryRequest.parse(operation.query());
        var query = query(container, request);
        try (var bounds = bounds()) {
            var plan = QueryPlan.of(
                    container,
                    operation.partition(),
                    PlanFeature.of(operation.features()),
                    query,
                    inputs(request, clock.instant(), bounds));
            return new Outcome(new Answer.Plan(JsonWriter.bytes(plan)), Bill.METADATA, Facts.NONE);
        }
    }

    public Outcome run(Container container, QueryItems operation, Caller caller) {
        try (var open = functions.open(container)) {
            return ScopeSlices.read(router, container, operation.scope(), caller, covered -> {
                try (var bounds = bounds()) {
                    return run(covered, operation, caller, open, bounds);
                }
            });
        }
    }

    private Outcome run(
            ScopeSlices covered, QueryItems operation, Caller caller, UserFunctions userFunctions, QueryBounds bounds) {
        var container = covered.container();
        long started = nanos.getAsLong();
        var request = QueryRequest.parse(operation.query());
        var query = query(container, request);
        long compiled = nanos.getAsLong();
        var purpose = request.purpose(container.rid().toString(), query.textWithoutFilter());
        var from = operation
                .page()
                .continuation()
                .map(token -> Continuation.decode(SpreadToken.unwrapped(token), purpose))
                .orElseGet(() -> Continuation.start(purpose, clock.instant()));
        long nowSecond = clock.instant().getEpochSecond();
        var statistics = new StatisticsRun();
        var plain = inputs(request, from.now(), bounds).withUserFunctions(userFunctions);
        var inputs = withStatistics(container, query, plain, statistics, nowSecond);
        var places = KeyLookup.of(container, operation.scope().partition(), query, inputs);
        var scan = ItemScan.of(covered).within(places).seenBy(query);
        demandOneKey(container, operation, query, inputs);
        demandOneRange(scan, query);
        if (scan.isOverSeveralRanges() && leavesMerging(operation) && query.needsPlan()) {
            throw new FailureException(planNeeded(container, query, inputs));
        }
        var page = new PageFill(operation.page(), nanos, inputs.checkpoint());
        var usable = UsableIndexes.of(container);
        var obstacle = SortRules.obstacle(query, container);
        if (obstacle.isPresent()) {
            noteRefused(covered, operation, query, obstacle.get(), Math.min(page.rowsMax(), query.rowsMax(inputs)));
            throw new FailureException(obstacle.get().failure());
        }
        var condition = query.condition(inputs);
        scan = scan.where(
                condition,
                query.shape() == Query.Shape.BLOCKING ? Long.MAX_VALUE : page.rowsMax(),
                inputs.checkpoint());
        var nearest = NearestItems.of(container, query, inputs, from.rows() + page.rowsMax() + 1, nowSecond);
        scan.lookFor(nearest);
        var covering = new CoveredRows(container, query, condition, inputs.checkpoint());
        var run = new PageRun(scan, covering, query, inputs, page, nowSecond);
        var next = switch (query.shape()) {
            case STREAMING -> run.streaming(from);
            case STREAMING_WITH_MEMORY -> run.whole(from);
            case BLOCKING ->
                query.isSortedOnly()
                        ? run.sorted(from, SortIndex.of(usable, query.sortPlaces(), condition))
                        : run.whole(from);
        };
        long itemsRead = statistics.itemsRead()
                + run.itemsRead()
                + nearest.map(NearestItems::itemsRead).orElse(0L);
        long bytesRead = statistics.bytesRead()
                + run.bytesRead()
                + nearest.map(NearestItems::bytesRead).orElse(0L);
        var metrics = new QueryMetrics(
                itemsRead,
                bytesRead,
                page.rows().size(),
                page.bytes(),
                nanos.getAsLong() - started,
                compiled - started,
                query.tiesDescend(),
                operation.wishes().contains(QueryWish.EXPLANATION)
                        ? Optional.of(explanation(scan, query, inputs, usable, condition))
                        : Optional.empty(),
                operation.wishes().contains(QueryWish.ADVICE) ? advice(query) : List.of());
        var work = new Work()
                .add(Effort.RANGES_PROBED, Math.max(1, scan.rangesAsked()))
                .add(Effort.INDEX_KEYS, scan.entriesRead())
                .add(Effort.ITEMS_LOADED, itemsRead, bytesRead)
                .add(Effort.RESULT, page.rows().size(), page.bytes())
                .add(Effort.AGGREGATES, query.aggregates());
        var bill = prices.bill(work, caller);
        if (scripted) {
            observer.scripted(container, query.pattern());
        } else {
            var effects = new Effects(
                    Math.max(1, scan.rangesAsked()),
                    scan.entriesRead(),
                    itemsRead,
                    bytesRead,
                    page.rows().size(),
                    page.bytes(),
                    query.aggregates(),
                    bill.requestUnits());
            var later = inputs.withCheckpoint(Checkpoint.NONE); // The bounds of this run have ended by then.
            boolean begins = operation.page().continuation().isEmpty();
            var call = new QueryCall(
                    query.pattern(),
                    operation.scope().partition().isPresent() || places.isPresent(),
                    scan.isOfGroups(),
                    operation.scope().partition(),
                    begins ? covered.slices().size() : 0,
                    begins && covered.isFromStart(),
                    begins ? scan.itemsOfRanges() : 0,
                    condition,
                    query.sortPlaces(),
                    effects,
                    page.rows().size() == 1 ? KeyLookup.id(query, inputs) : Optional.empty(),
                    page.rows(),
                    page.rowsMax(),
                    () -> query.rowsMax(later),
                    () -> indexMetrics(query, later, usable, condition));
            observer.queried(container, call);
        }
        return new Outcome(
                new Answer.Feed(ResourceKind.ITEM, container.rid().toString(), page.rows()),
                bill,
                scan.facts()
                        .withPage(
                                next.map(place -> SpreadToken.of(place.encode(), operation.scope(), covered)),
                                Optional.of(metrics)));
    }

    /** Notes what it would have cost at most, since nobody knows how many rows it would have given. */
    private void noteRefused(
            ScopeSlices covered, QueryItems operation, Query query, SortRules.Obstacle obstacle, long rowsWanted) {
        boolean keyed = operation.scope().partition().isPresent();
        if (scripted || obstacle.index().isEmpty() || !(keyed || covered.isFromStart())) {
            return;
        }
        long items = 0;
        long bytes = 0;
        for (var slice : covered.slices()) {
            var state = slice.route().partition().state();
            items += state.items();
            bytes += state.itemBytes();
        }
        long rows = Math.min(rowsWanted, items);
        long rowBytes = items == 0 ? 0 : (long) ((double) bytes / items * rows);
        var container = covered.container();
        var served = new Work()
                .add(Effort.RANGES_PROBED, keyed ? 1 : container.ranges().live().size())
                .add(Effort.INDEX_KEYS, rows)
                .add(Effort.ITEMS_LOADED, rows, rowBytes)
                .add(Effort.RESULT, rows, rowBytes);
        observer.refused(
                container,
                query.pattern(),
                obstacle.index(),
                new Refusals(1, rows, prices.bill(served).requestUnits()));
    }

    private static Explanation explanation(
            ItemScan scan, Query query, QueryInputs inputs, UsableIndexes usable, Condition condition) {
        var words = new IndexWords(usable, condition, vectors(query, inputs), values(query));
        return scan.explanation(query, words, indexMetrics(query, inputs, usable, condition));
    }

    private static IndexMetrics indexMetrics(
            Query query, QueryInputs inputs, UsableIndexes usable, Condition condition) {
        var sort = query.sortPlaces();
        var order = query.isSortedOnly() ? SortIndex.of(usable, sort, condition) : Optional.<SortIndex>empty();
        return IndexReport.of(usable, condition, sort, order, vectors(query, inputs), values(query));
    }

    private static Optional<List<Step>> vectors(Query query, QueryInputs inputs) {
        return query.nearest(inputs).map(NearestSearch::place);
    }

    private static Optional<List<Step>> values(Query query) {
        return query.coverage().stream()
                .flatMap(way ->
                        way instanceof Coverage.Values(var place, var _, var _) ? Stream.of(place) : Stream.empty())
                .findFirst();
    }

    /** Scores of texts depend on all items of the container, whichever the query is about. */
    private QueryInputs withStatistics(
            Container container, Query query, QueryInputs inputs, StatisticsRun statistics, long nowSecond) {
        var counting = query.statistics();
        if (counting.isEmpty()) {
            return inputs;
        }
        try (var all = ScopeSlices.covering(router, container, Scope.ALL)) {
            return inputs.withStatistics(
                    statistics.row(container, counting.get(), inputs, ItemScan.of(all), nowSecond));
        }
    }

    /** Whoever names no partition key must have said that all may be asked: the first mistake that the service points out. */
    private static void demandOneKey(Container container, QueryItems operation, Query query, QueryInputs inputs) {
        if (operation.wishes().contains(QueryWish.ONE_PARTITION)
                && leavesMerging(operation)
                && !container.definition().partitionKey().systemKey()
                && KeyLookup.partitions(container, query, inputs)
                        .filter(keys -> keys.size() <= 1)
                        .isEmpty()) {
            throw new FailureException(
                    new Failure.CrossPartitionDisabled("Cross partition query is required but disabled."));
        }
    }

    /** No SDK could put such rows of several ranges together; what works must not depend on how a query is sent. */
    private static void demandOneRange(ItemScan scan, Query query) {
        if (scan.isOverSeveralRanges() && query.composesAggregates()) {
            throw new FailureException(new Failure.BadRequest(SdkQueryPlan.COMPOSED_AGGREGATES));
        }
    }

    /** Whether nobody has said yet who puts the rows of several ranges together. */
    private static boolean leavesMerging(QueryItems operation) {
        return operation.scope().equals(Scope.ALL) && !operation.wishes().contains(QueryWish.WHOLE_RESULT);
    }

    private static Failure planNeeded(Container container, Query query, QueryInputs inputs) {
        var plan = QueryPlan.of(container, Optional.empty(), EnumSet.allOf(PlanFeature.class), query, inputs);
        return new Failure.CrossPartitionQuery(
                "The provided cross partition query can not be directly served by the gateway. Its rows come from"
                    + " several partitions: ask each of them and put the rows together by the plan in"
                    + " additionalErrorInfo, as SDKs do. The header x-orrery-serve-raw-query: true has the server do"
                    + " it.",
                JsonWriter.text(plan));
    }

    private static List<String> advice(Query query) {
        return query.advice().stream().map(QueryAdvice::id).toList();
    }

    private Query query(Container container, QueryRequest request) {
        var traits = ContainerTraits.of(container.definition());
        var query = query(new BoundTo(request.text(), traits));
        return query.textWithNames(request.parameters())
                .map(text -> query(new BoundTo(text, traits)))
                .orElse(query);
    }

    private Query query(BoundTo key) {
        return bound.get(key, _ -> Query.of(key.text(), key.container()));
    }

    private QueryBounds bounds() {
        return QueryBounds.startingNow(nanos, memory);
    }

    private QueryInputs inputs(QueryRequest request, Instant now, QueryBounds bounds) {
        return QueryInputs.of(request.parameters(), now, random).withCheckpoint(bounds);
    }
}
