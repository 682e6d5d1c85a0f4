package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.bind.Count;
import dev.orrery.sql.bind.RankClause;
import dev.orrery.sql.memory.Workspace;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One run of one query: sources, filter, grouping, projection, sorting, DISTINCT and counts, in this order.
 *
 * <p>Items are pushed in at the top and rows fall out at the bottom. All methods that return a boolean say whether more
 * is wanted.
 */
final class Pipeline {
    private static final int DISTINCT_BYTES = 48;

    private final BoundQuery query;
    private final Frame frame;
    private final RowSink sink;
    private final Optional<Pipeline> inner;
    private final Optional<Groups> groups;
    private final Optional<Sorter> sorter;
    private final Optional<RowOrder> order;
    private final Optional<Set<JsonValue>> seen;
    private final long offset;
    private final long end;
    private final Workspace workspace;
    private final long keptBefore;
    private long documentNumber;
    private long copies = 1;
    private long rowsPassed;
    private long rowsOfItem;
    private long rowsToDrop;
    private boolean hungry;

    /** Whether the sink takes another row. */
    private boolean open;

    Pipeline(BoundQuery query, Frame frame, RowSink sink) {
        this(query, frame, sink, RunStart.FIRST);
    }

    Pipeline(BoundQuery query, Frame frame, RowSink sink, RunStart start) {
        this.query = query;
        this.frame = frame;
        this.sink = sink;
        this.workspace = frame.workspace();
        this.keptBefore = workspace.kept();
        this.rowsPassed = start.position().rows();
        this.rowsToDrop = start.position().rowsOfItem();
        inner = query.readsItems() && query.sources().getFirst() instanceof Source.ItemRows(var rows, int slot)
                ? Optional.of(new Pipeline(rows, frame, row -> {
                    frame.fill(slot, row);
                    return tuples(1);
                }))
                : Optional.empty();
        seen = query.distinct() ? Optional.of(new HashSet<>()) : Optional.empty();
        groups = query.grouping().map(grouping -> new Groups(grouping, frame));
        offset = query.counts().offset().map(count -> count(count, "OFFSET")).orElse(0L);
        end = end(start.rowsMax());
        sorter = query.sortKeys().isEmpty() || start.presorted() ? Optional.empty() : Optional.of(sorter(start));
        order = query.fusion().<RowOrder>map(this::fused).or(() -> sorter);
        open = end > Math.max(rowsPassed, offset);
        hungry = open;
    }

    private Sorter sorter(RunStart start) {
        // With DISTINCT any number of sorted rows may be needed for the first few distinct ones.
        var sortedMax = query.distinct() || end == Long.MAX_VALUE ? Long.MAX_VALUE : end - rowsPassed;
        return new Sorter(query.sortKeys(), start.after(), sortedMax);
    }

    private FusedSorter fused(Fusion fusion) {
        var scores = fusion.scores();
        var weights = fusion.weights()
                .map(value -> RankClause.weights(Evaluator.evaluate(value, frame), scores.size()))
                .orElse(Collections.nCopies(scores.size(), 1.0));
        // Not from the number of rows wanted now: all pages of a query need the same candidates.
        return new FusedSorter(fusion, weights, RankClause.candidates(end(Long.MAX_VALUE)));
    }

    /** How many rows may pass OFFSET and LIMIT or TOP, those skipped included. */
    private long end(long rowsMax) {
        var limit = query.counts().limit().map(count -> count(count, "LIMIT")).orElse(Long.MAX_VALUE);
        var top = query.counts().top().map(count -> count(count, "TOP")).orElse(Long.MAX_VALUE);
        var most = Math.min(limit, top);
        var all = most == Long.MAX_VALUE ? most : offset + most;
        return rowsMax == Long.MAX_VALUE ? all : Math.min(all, Math.max(rowsPassed, offset) + rowsMax);
    }

    private long count(Bound count, String clause) {
        return Count.of(Evaluator.evaluate(count, frame))
                .orElseThrow(() -> new FailureException(new Failure.BadRequest(Count.rule(clause))));
    }

    /** Whether another item could still change the result. */
    boolean hungry() {
        return hungry;
    }

    Position position() {
        return new Position(rowsPassed, rowsOfItem);
    }

    /** The last row was not taken after all: a run that goes on from here gives it first. */
    void putBack() {
        rowsPassed--;
        rowsOfItem--;
    }

    long offset() {
        return offset;
    }

    long rowsMax() {
        return end;
    }

    /** The row that came out last of a run that sorts; empty before the first one. */
    Optional<SortPosition> sortPosition() {
        return sorter.flatMap(Sorter::position);
    }

    /** Pushes an item into a query over items. */
    boolean feed(JsonValue item, long number) {
        workspace.enter(item);
        documentNumber = number;
        rowsOfItem = 0;
        hungry = hungry
                && switch (query.sources().getFirst()) {
                    case Source.Items(int slot) -> {
                        frame.fill(slot, item);
                        yield tuples(1);
                    }
                    case Source.ItemRows _ -> inner.orElseThrow().feed(item, number);
                    case Source.Single _, Source.Elements _, Source.Rows _ ->
                        throw new IllegalStateException("The query does not read items.");
                };
        rowsToDrop = 0;
        return hungry;
    }

    /** Pushes an item in several times; a fold takes them at once. */
    boolean feed(JsonValue item, long number, long times) {
        if (groups.isPresent() && inner.isEmpty() && times > 0) {
            copies = times;
            feed(item, number);
            copies = 1;
        } else {
            for (long i = 0; i < times && hungry; i++) {
                feed(item, number);
            }
        }
        return hungry;
    }

    /** The items to come are of another range. */
    void endRange() {
        order.ifPresent(some -> some.endRange(frame));
    }

    /** Runs a query that does not read items. */
    void run() {
        if (open) {
            tuples(0);
            finish();
        }
    }

    /** After the last item: rows that depend on all of them. */
    void finish() {
        inner.ifPresent(Pipeline::finish);
        if (open && groups.isPresent()) {
            groups.get().forEachGroup(() -> alone(this::project));
        }
        if (open && order.isPresent()) {
            order.get().forEachRow(this::emit);
        }
        open = false;
        hungry = false;
        workspace.forget(keptBefore);
    }

    /** Does something of which nothing is left in the end but what others have counted. */
    private boolean alone(BooleanSupplier work) {
        long mark = workspace.mark();
        boolean more = work.getAsBoolean();
        workspace.drop(mark);
        return more;
    }

    /** Fills the slots of the sources from an index on in all possible ways. */
    private boolean tuples(int index) {
        // Also where sources are left: the last of them may have nothing, however often it is asked.
        frame.step();
        long mark = workspace.mark();
        boolean more = index == query.sources().size() ? tuple() : source(index);
        workspace.drop(mark);
        return more;
    }

    private boolean source(int index) {
        return switch (query.sources().get(index)) {
            case Source.Single(var value, int slot) -> fill(slot, Evaluator.evaluate(value, frame), index);
            case Source.Elements(var array, int slot) -> elements(Evaluator.evaluate(array, frame), slot, index);
            case Source.Rows(var rows, int slot) -> rows(rows, slot, index);
            case Source.Items _, Source.ItemRows _ ->
                throw new IllegalStateException("Items can only be the first source.");
        };
    }

    private boolean fill(int slot, JsonValue value, int index) {
        if (value.isUndefined()) {
            return true;
        }
        frame.fill(slot, value);
        return tuples(index + 1);
    }

    private boolean elements(JsonValue array, int slot, int index) {
        if (array instanceof JsonValue.Arr(var items)) {
            workspace.unfold(array);
            for (var item : items) {
                if (!fill(slot, item, index)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean rows(BoundQuery rows, int slot, int index) {
        var wanted = new boolean[] {true};
        new Pipeline(rows, frame, row -> {
                    wanted[0] = fill(slot, row, index);
                    return wanted[0];
                })
                .run();
        return wanted[0];
    }

    private boolean tuple() {
        if (query.filter().isPresent()
                && !Evaluator.isTrue(Evaluator.judge(query.filter().get(), frame))) {
            return true;
        }
        if (groups.isPresent()) {
            groups.get().add(copies);
            return true;
        }
        return project();
    }

    private boolean project() {
        var row = Evaluator.evaluate(query.projection(), frame);
        if (row.isUndefined()) {
            return true;
        }
        if (order.isPresent()) {
            order.get().add(row, frame, documentNumber);
            return true;
        }
        return emit(row);
    }

    private boolean emit(JsonValue row) {
        if (seen.isPresent()) {
            long mark = workspace.mark();
            workspace.unfold(row);
            boolean isNew = seen.get().add(row);
            workspace.drop(mark);
            if (!isNew) {
                return true;
            }
            workspace.keep(DISTINCT_BYTES + JsonSize.of(row));
        }
        rowsOfItem++;
        if (rowsOfItem <= rowsToDrop) {
            return true;
        }
        rowsPassed++;
        if (rowsPassed <= offset) {
            return true;
        }
        open = sink.accept(row) && rowsPassed < end;
        return open;
    }
}
