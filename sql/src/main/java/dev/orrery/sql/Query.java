package dev.orrery.sql;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Counts;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.bind.BoundStatement;
import dev.orrery.sql.bind.QueryBinder;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Conditions;
import dev.orrery.sql.plan.Coverage;
import dev.orrery.sql.plan.HybridSearchPlan;
import dev.orrery.sql.plan.KeyConditions;
import dev.orrery.sql.plan.Lightness;
import dev.orrery.sql.plan.NearestSearch;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.plan.QueryAdvice;
import dev.orrery.sql.plan.QueryPattern;
import dev.orrery.sql.plan.QuerySteps;
import dev.orrery.sql.plan.SdkQueryPlan;
import dev.orrery.sql.plan.SortPlace;
import dev.orrery.sql.plan.SortPlaces;
import dev.orrery.sql.plan.TextFigures;
import dev.orrery.sql.run.FixedValues;
import dev.orrery.sql.run.KnownAggregates;
import dev.orrery.sql.run.Position;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.QueryRun;
import dev.orrery.sql.run.RowSink;
import dev.orrery.sql.run.RowTest;
import dev.orrery.sql.run.RunStart;
import dev.orrery.sql.run.SortPosition;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.QueryParser;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SyntaxPrinter;
import dev.orrery.sql.syntax.SyntaxTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A query that has been read and bound and can be run any number of times, by any number of threads. */
public final class Query {
    private final String text;
    private final SelectQuery syntax;
    private final BoundStatement statement;
    private final Optional<Query> statistics;
    private final List<Coverage> coverage;
    private final List<Expression.Parameter> names;
    private final boolean light;
    private String pattern;
    private String textWithoutFilter;

    private Query(String text, SelectQuery syntax, ContainerTraits container) {
        this.text = text;
        this.syntax = syntax;
        this.statement = QueryBinder.bind(syntax, text, container);
        this.coverage = Coverage.of(statement.query());
        this.names = SyntaxTree.parametersForNames(syntax);
        this.light = names.isEmpty() && Lightness.of(statement.query());
        this.statistics = statement
                .query()
                .fusion()
                .filter(Fusion::needsStatistics)
                .map(_ -> of(HybridSearchPlan.statistics(syntax), container));
    }

    /** A query over a container without policies; see {@link #of(String, ContainerTraits)}. */
    public static Query of(String text) {
        return of(text, ContainerTraits.DEFAULT);
    }

    /** Reads and binds a query text; a mistake in it is a {@code Failure.QuerySyntax}. */
    public static Query of(String text, ContainerTraits container) {
        return new Query(text, QueryParser.parse(text), container);
    }

    /** Reads the condition of a patch, {@code FROM c WHERE ...}; see {@link #holds}. */
    public static Query ofCondition(String text, ContainerTraits container) {
        return new Query(text, QueryParser.parseCondition(text), container);
    }

    public String text() {
        return text;
    }

    /**
     * The text with names in place of the parameters that stand for names of properties, as in {@code c[@name]}: only a
     * query that knows them can find out what an index or a policy says about such a property. Empty when there are none.
     */
    public Optional<String> textWithNames(Map<String, JsonValue> parameters) {
        var named = new StringBuilder(text);
        boolean found = false;
        for (var parameter : names.reversed()) {
            if (parameters.get(parameter.name()) instanceof Str name) {
                named.replace(parameter.span().start(), parameter.span().end(), JsonWriter.text(name));
                found = true;
            }
        }
        return found ? Optional.of(named.toString()) : Optional.empty();
    }

    /** What it shares with queries that differ from it in their values only; see {@link QueryPattern}. */
    public String pattern() {
        // Computed when it is first asked for; two threads that do so at once find the same.
        if (pattern == null) {
            pattern = QueryPattern.of(syntax);
        }
        return pattern;
    }

    /** What it shares with queries that have the same rows in the same order, but leave others out. */
    public String textWithoutFilter() {
        if (textWithoutFilter == null) {
            textWithoutFilter = SyntaxPrinter.print(syntax.withoutFilter());
        }
        return textWithoutFilter;
    }

    /**
     * The query whose one row over all items of the container has to be among the inputs of this one, because it scores
     * texts by how rare their words are; see {@link QueryInputs#withStatistics}.
     */
    public Optional<Query> statistics() {
        return statistics;
    }

    /**
     * Which values an item must have at some paths to contribute to the result: see {@link KeyConditions} for how to read
     * the answer.
     */
    public List<KeyConditions.Alternative> keyConditions(Set<JsonPath> paths, QueryInputs inputs) {
        var values = inputs.resolve(statement.parameters());
        return KeyConditions.of(statement.query(), paths, index -> values[index]);
    }

    /** What an item must be like to contribute to the result, as far as an index can tell. */
    public Condition condition(QueryInputs inputs) {
        return Conditions.of(statement.query(), new FixedValues(statement, inputs));
    }

    /** What ORDER BY looks for when it looks for the nearest vectors, as far as an index can tell. */
    public Optional<NearestSearch> nearest(QueryInputs inputs) {
        return NearestSearch.of(statement.query(), statement.container(), new FixedValues(statement, inputs));
    }

    /** What the query tells of all items, when an index of words has it. */
    public Optional<TextFigures> textFigures(QueryInputs inputs) {
        return TextFigures.of(statement.query(), new FixedValues(statement, inputs));
    }

    /** The row of a query with {@link #textFigures}, once these are known. */
    public JsonValue row(QueryInputs inputs, List<JsonValue> figures) {
        return KnownAggregates.row(statement, inputs, figures);
    }

    /** Which items come first when the query ranks them by how well one text fits: those with one of its terms. */
    public Optional<Condition.Words> rankedFirst(QueryInputs inputs) {
        return TextFigures.rankedFirst(statement.query(), new FixedValues(statement, inputs));
    }

    /** Whether items give rows, for a query with {@link #nearest}. */
    public RowTest rowTest(QueryInputs inputs) {
        return new RowTest(statement, inputs);
    }

    /** How an SDK is to run the query, without {@code queryRanges}. */
    public JsonValue.Obj sdkPlan(QueryInputs inputs, Set<PlanFeature> features, SdkQueryPlan.Reach reach) {
        return SdkQueryPlan.of(syntax, statement.query(), inputs.parameters(), features, reach);
    }

    /** Whether it makes something else of aggregates over all items, which is refused over several partitions. */
    public boolean composesAggregates() {
        return readsItems() && SdkQueryPlan.composesAggregates(syntax);
    }

    /**
     * Whether its rows over several ranges are more than those of each range, one range after the other: then a client that
     * asks the ranges itself needs {@link #sdkPlan}.
     */
    public boolean needsPlan() {
        return readsItems()
                && (shape() != Shape.STREAMING || !statement.query().counts().equals(Counts.NONE));
    }

    /** Whether it takes hardly longer for an item than to read it. */
    public boolean isLight() {
        return light;
    }

    /** What could be put better in it. */
    public Set<QueryAdvice> advice() {
        return QueryAdvice.of(syntax);
    }

    /** What happens to the items that are read, in words. */
    public List<String> steps() {
        return QuerySteps.of(syntax, statement.query().grouping().isPresent());
    }

    /** What the query sorts its items by; nothing when it does not sort, or searches for the nearest. */
    public List<SortPlace> sortPlaces() {
        var query = statement.query();
        return query.fusion().isPresent() || query.sortKeys().stream().anyMatch(SortKey::nearness)
                ? List.of()
                : SortPlaces.of(query);
    }

    /** Whether rows that ORDER BY finds equal come in descending order of their document numbers. */
    public boolean tiesDescend() {
        var keys = statement.query().sortKeys();
        return !keys.isEmpty() && keys.getFirst().tiesDescend();
    }

    /** Whether rows follow from one item after another once items come in the order of {@link #sortPlaces}. */
    public boolean isSortedOnly() {
        var query = statement.query();
        return !sortPlaces().isEmpty()
                && query.grouping().isEmpty()
                && !query.distinct()
                && query.sources().getFirst() instanceof Source.Items;
    }

    /** Whether it takes some of the items only, or puts them in an order: there is a WHERE or an ORDER BY. */
    public boolean choosesOrSorts() {
        return choosesOrSorts(statement.query());
    }

    private static boolean choosesOrSorts(BoundQuery query) {
        return query.filter().isPresent()
                || !query.sortKeys().isEmpty()
                || query.fusion().isPresent()
                || query.sources().stream().anyMatch(source -> switch (source) {
                    case Source.ItemRows(var rows, var _) -> choosesOrSorts(rows);
                    case Source.Rows(var rows, var _) -> choosesOrSorts(rows);
                    case Source.Items _, Source.Single _, Source.Elements _ -> false;
                });
    }

    /** How many aggregates of all items it asks for. */
    public int aggregates() {
        return statement
                .query()
                .grouping()
                .map(grouping -> grouping.aggregates().size())
                .orElse(0);
    }

    /** How many rows of the query its counts let pass at most, those that OFFSET skips included. */
    public long rowsMax(QueryInputs inputs) {
        return run(inputs, _ -> true).rowsMax();
    }

    /** How the query could be answered from an index alone, the quickest way first. */
    public List<Coverage> coverage() {
        return coverage;
    }

    /** Whether it leaves out items by a condition. */
    public boolean hasFilter() {
        return statement.query().filter().isPresent();
    }

    /** Runs the query over items that are known to pass its filter. */
    public QueryRun runPassed(long rowsMax, QueryInputs inputs, RowSink sink) {
        return new QueryRun(
                statement.withoutFilter(),
                inputs,
                new RunStart(Position.START, Optional.empty(), rowsMax, false),
                sink);
    }

    /** When rows come out of a run. */
    public enum Shape {
        /** Each item gives its rows at once and on its own: the run can stop after any row and resume by its position. */
        STREAMING,
        /** Each item gives its rows at once, but what they are depends on the items before: DISTINCT. */
        STREAMING_WITH_MEMORY,
        /** Rows come after the last item: ORDER BY, GROUP BY, aggregates, and queries that read no items. */
        BLOCKING
    }

    public Shape shape() {
        return shape(statement.query());
    }

    private static Shape shape(BoundQuery query) {
        if (!query.readsItems()
                || query.grouping().isPresent()
                || query.fusion().isPresent()
                || !query.sortKeys().isEmpty()) {
            return Shape.BLOCKING;
        }
        var own = query.distinct() ? Shape.STREAMING_WITH_MEMORY : Shape.STREAMING;
        return query.sources().getFirst() instanceof Source.ItemRows(var rows, var _)
                ? later(own, shapeWithin(rows))
                : own;
    }

    private static Shape shapeWithin(BoundQuery rows) {
        var shape = shape(rows);
        // The position counts the rows of the query itself; rows of a query within it that were counted off are
        // forgotten.
        return shape == Shape.STREAMING && !rows.counts().equals(Counts.NONE) ? Shape.STREAMING_WITH_MEMORY : shape;
    }

    private static Shape later(Shape one, Shape other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Whether the rows depend on the items of a container at all; otherwise {@link QueryRun#finish} gives all rows. */
    public boolean readsItems() {
        return statement.query().readsItems();
    }

    public QueryRun run(QueryInputs inputs, RowSink sink) {
        return runFirst(Long.MAX_VALUE, inputs, sink);
    }

    /** Runs the query for its first rows only, which lets ORDER BY keep no more than these in memory. */
    public QueryRun runFirst(long rowsMax, QueryInputs inputs, RowSink sink) {
        return new QueryRun(statement, inputs, new RunStart(Position.START, Optional.empty(), rowsMax, false), sink);
    }

    /** Goes on with a sorted query behind a row; {@code rows} came out before it, those that OFFSET skipped included. */
    public QueryRun runAfter(Optional<SortPosition> row, long rows, long rowsMax, QueryInputs inputs, RowSink sink) {
        return new QueryRun(statement, inputs, new RunStart(new Position(rows, 0), row, rowsMax, false), sink);
    }

    /** Runs a sorted query over items that come in the order of {@link #sortPlaces}, as if it were a streaming one. */
    public QueryRun runPresorted(QueryInputs inputs, Position position, RowSink sink) {
        return new QueryRun(statement, inputs, new RunStart(position, Optional.empty(), Long.MAX_VALUE, true), sink);
    }

    /**
     * Goes on with a {@link Shape#STREAMING} query that stopped at a position; the first item to add is the one that was
     * added last then.
     */
    public QueryRun resume(QueryInputs inputs, Position position, RowSink sink) {
        return new QueryRun(statement, inputs, new RunStart(position, Optional.empty(), Long.MAX_VALUE, false), sink);
    }

    /** Whether an item satisfies the query, that is, whether it gives a row. */
    public boolean holds(QueryInputs inputs, JsonValue item) {
        var rows = new int[1];
        var run = run(inputs, _ -> {
            rows[0]++;
            return false;
        });
        run.add(item, 0);
        run.finish();
        return rows[0] > 0;
    }
}
