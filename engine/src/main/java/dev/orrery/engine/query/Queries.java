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
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.PartitionState;
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
import dev.orrery.store.Cached;
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
                    return new Asked(covered, operation, caller, open, bounds).answer();
                }
            });
        }
    }

    /** Whether a page takes hardly longer than to read an item: it is about one, which is small, and in memory. */
    public boolean isPrompt(Container container, QueryItems operation) {
        if (operation.scope().partition().isEmpty()
                || operation.query().body().length > Limits.PROMPT_QUERY_BYTES_MAX
                || operation.wishes().contains(QueryWish.EXPLANATION)
                || operation.wishes().contains(QueryWish.ADVICE)) {
            return false;
        }
        var request = QueryRequest.parse(operation.query());
        var query = bound.getIfPresent(new BoundTo(request.text(), ContainerTraits.of(container.definition())));
        if (query == null || !query.isLight()) {
            return false;
        }
        var inputs = QueryInputs.of(request.parameters(), clock.instant(), random);
        return KeyLookup.of(container, operation.scope().partition(), query, inputs)
                .flatMap(KeyLookup.Places::single)
                .filter(key -> isInMemory(container, key))
                .isPresent();
    }

    /** The state is read as well, for what the answer says of its range. */
    private boolean isInMemory(Container container, byte[] key) {
        var partition = router.route(container, ItemKey.decode(key).epk()).partition();
        boolean known = switch (partition.tryGet(key)) {
            case Cached.Found(var value) -> value.length <= Limits.PROMPT_QUERY_ITEM_BYTES_MAX;
            case Cached.Absent _ -> true;
            case Cached.Unknown _ -> false;
        };
        return known && !(partition.tryGet(PartitionState.key()) instanceof Cached.Unknown);
    }

    /** One page of one query: what is asked, what has been read for it, and what is said of it. */
    private final class Asked {
        private final ScopeSlices covered;
        private final Container container;
        private final QueryItems operation;
        private final Caller caller;
        private final long startedNanos = nanos.getAsLong();
        private final Query query;
        private final long compiledNanos;
        private final Continuation from;
        private final StatisticsRun statistics = new StatisticsRun();
        private final QueryInputs inputs;
        private final Optional<KeyLookup.Places> places;
        private final PageFill page;
        private final UsableIndexes usable;
        private final Condition condition;
        private final Optional<NearestItems> nearest;
        private final ItemScan scan;
        private final PageRun run;

        Asked(
                ScopeSlices covered,
                QueryItems operation,
                Caller caller,
                UserFunctions userFunctions,
                QueryBounds bounds) {
            this.covered = covered;
            this.container = covered.container();
            this.operation = operation;
            this.caller = caller;
            var request = QueryRequest.parse(operation.query());
            this.query = query(container, request);
            this.compiledNanos = nanos.getAsLong();
            this.from = place(request);
            long nowSecond = clock.instant().getEpochSecond();
            var plain = inputs(request, from.now(), bounds).withUserFunctions(userFunctions);
            this.inputs = withStatistics(container, query, plain, statistics, nowSecond);
            this.places = KeyLookup.of(container, operation.scope().partition(), query, inputs);
            var everything = ItemScan.of(covered).within(places).seenBy(query);
            this.page = new PageFill(operation.page(), nanos, inputs.checkpoint());
            demandServed(everything);
            this.usable = UsableIndexes.of(container);
            this.condition = query.condition(inputs);
            this.nearest = NearestItems.of(container, query, inputs, from.rows() + page.rowsMax() + 1, nowSecond);
            long rowsWanted = query.shape() == Query.Shape.BLOCKING ? Long.MAX_VALUE : page.rowsMax();
            this.scan =
                    everything.where(condition, rowsWanted, inputs.checkpoint()).lookingFor(nearest);
            var covering = new CoveredRows(container, query, condition, inputs.checkpoint());
            this.run = new PageRun(scan, covering, query, inputs, page, nowSecond);
        }

        /** Where the page begins. */
        private Continuation place(QueryRequest request) {
            var purpose = request.purpose(container.rid().toString(), query.textWithoutFilter());
            return operation
                    .page()
                    .continuation()
                    .map(token -> Continuation.decode(SpreadToken.unwrapped(token), purpose))
                    .orElseGet(() -> Continuation.start(purpose, clock.instant()));
        }

        private void demandServed(ItemScan everything) {
            demandOneKey(container, operation, query, inputs);
            demandOneRange(everything, query);
            if (everything.isOverSeveralRanges() && leavesMerging(operation) && query.needsPlan()) {
                throw new FailureException(planNeeded(container, query, inputs));
            }
            var obstacle = SortRules.obstacle(query, container);
            if (obstacle.isPresent()) {
                noteRefused(obstacle.get());
                throw new FailureException(obstacle.get().failure());
            }
        }

        Outcome answer() {
            var next = fill();
            var effects = effects();
            var bill = prices.bill(work(effects), caller);
            observe(effects, bill);
            var token = next.map(place -> SpreadToken.of(place.encode(), operation.scope(), covered));
            return new Outcome(
                    new Answer.Feed(ResourceKind.ITEM, container.rid().toString(), page.rows()),
                    bill,
                    covered.facts().withPage(token, Optional.of(metrics(effects))));
        }

        /** Fills the page; tells where the next one begins, if there is one. */
        private Optional<Continuation> fill() {
            return switch (query.shape()) {
                case STREAMING -> run.streaming(from);
                case STREAMING_WITH_MEMORY -> run.whole(from);
                case BLOCKING ->
                    query.isSortedOnly()
                            ? run.sorted(from, SortIndex.of(usable, query.sortPlaces(), condition))
                            : run.whole(from);
            };
        }

        private Effects effects() {
            return new Effects(
                    Math.max(1, scan.rangesAsked()),
                    scan.entriesRead(),
                    statistics.itemsRead()
                            + run.itemsRead()
                            + nearest.map(NearestItems::itemsRead).orElse(0L),
                    statistics.bytesRead()
                            + run.bytesRead()
                            + nearest.map(NearestItems::bytesRead).orElse(0L),
                    page.rows().size(),
                    page.bytes(),
                    query.aggregates(),
                    0);
        }

        private void observe(Effects effects, Bill bill) {
            if (scripted) {
                observer.scripted(container, query.pattern());
                return;
            }
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
                    effects.costing(bill.requestUnits()),
                    page.rows().size() == 1 ? KeyLookup.id(query, inputs) : Optional.empty(),
                    page.rows(),
                    page.rowsMax(),
                    () -> query.rowsMax(later),
                    () -> indexMetrics(query, later, usable, condition));
            observer.queried(container, call);
        }

        private QueryMetrics metrics(Effects effects) {
            return new QueryMetrics(
                    effects.itemsLoaded(),
                    effects.itemBytes(),
                    effects.rows(),
                    effects.rowBytes(),
                    nanos.getAsLong() - startedNanos,
                    compiledNanos - startedNanos,
                    query.tiesDescend(),
                    operation.wishes().contains(QueryWish.EXPLANATION)
                            ? Optional.of(explanation(scan, query, inputs, usable, condition))
                            : Optional.empty(),
                    operation.wishes().contains(QueryWish.ADVICE) ? advice(query) : List.of());
        }

        /** Notes what it would have cost at most, since nobody knows how many rows it would have given. */
        private void noteRefused(SortRules.Obstacle obstacle) {
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
            long rows = Math.min(Math.min(page.rowsMax(), query.rowsMax(inputs)), items);
            long rowBytes = items == 0 ? 0 : (long) ((double) bytes / items * rows);
            var served = new Work()
                    .add(
                            Effort.RANGES_PROBED,
                            keyed ? 1 : container.ranges().live().size())
                    .add(Effort.INDEX_KEYS, rows)
                    .add(Effort.ITEMS_LOADED, rows, rowBytes)
                    .add(Effort.RESULT, rows, rowBytes);
            observer.refused(
                    container,
                    query.pattern(),
                    obstacle.index(),
                    new Refusals(1, rows, prices.bill(served).requestUnits()));
        }
    }

    private static Work work(Effects effects) {
        return new Work()
                .add(Effort.RANGES_PROBED, effects.rangesAsked())
                .add(Effort.INDEX_KEYS, effects.indexKeys())
                .add(Effort.ITEMS_LOADED, effects.itemsLoaded(), effects.itemBytes())
                .add(Effort.RESULT, effects.rows(), effects.rowBytes())
                .add(Effort.AGGREGATES, effects.aggregates());
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
