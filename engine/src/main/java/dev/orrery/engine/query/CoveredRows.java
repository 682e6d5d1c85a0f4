package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.IndexSearch;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.index.ValueRuns;
import dev.orrery.engine.partition.RangeView;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Coverage;
import dev.orrery.sql.plan.TextFigures.Figure;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.QueryRun;
import dev.orrery.sql.run.RowSink;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Answers a query from indexes alone: instead of items it is given what their entries tell, which is all that it asks
 * about them.
 */
final class CoveredRows {
    /** @param keys all that a range has of what is asked for; {@code whole} when that is the range itself */
    record Part(RangeView view, KeyRange keys, boolean whole) {}

    private final Container container;
    private final Query query;
    private final Condition condition;
    private final UsableIndexes usable;
    private final Checkpoint checkpoint;
    private long entriesRead;

    CoveredRows(Container container, Query query, Condition condition, Checkpoint checkpoint) {
        this.container = container;
        this.query = query;
        this.condition = condition;
        this.usable = UsableIndexes.of(container);
        this.checkpoint = checkpoint;
    }

    /** How many entries were read for the last answer, and for what turned out to be none. */
    long entriesRead() {
        return entriesRead;
    }

    /** A run that has been given everything; empty when the index does not tell all. */
    Optional<QueryRun> run(List<Part> parts, long rowsMax, QueryInputs inputs, RowSink sink) {
        // What has expired is in the index until it is swept.
        if (container.definition().defaultTtlSeconds().isPresent()) {
            return Optional.empty();
        }
        return query.coverage().stream()
                .map(coverage -> switch (coverage) {
                    case Coverage.Quantity _ -> number(parts).map(number -> counted(number, rowsMax, inputs, sink));
                    case Coverage.Values values -> items(values, parts).map(items -> fed(items, rowsMax, inputs, sink));
                })
                .flatMap(Optional::stream)
                .findFirst();
    }

    private QueryRun counted(long number, long rowsMax, QueryInputs inputs, RowSink sink) {
        var run = query.runPassed(rowsMax, inputs, sink);
        run.add(Obj.EMPTY, 0, number);
        return run;
    }

    private Optional<Long> number(List<Part> parts) {
        long number = 0;
        for (var part : parts) {
            var found = number(part);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            number += found.get();
        }
        return Optional.of(number);
    }

    private Optional<Long> number(Part part) {
        if (!query.hasFilter()) {
            return part.whole() ? Optional.of(part.view().state().items()) : Optional.empty();
        }
        if (!Condition.isExact(condition)) {
            return Optional.empty();
        }
        var search = search(part);
        if (part.whole() && condition instanceof Condition.Value value) {
            var number = search.count(value);
            entriesRead += number.orElse(0L);
            return number;
        }
        return search.exactly(condition, IndexChoice.ENTRIES_MAX).map(documents -> {
            try (var found = new FoundItems(documents, container, part.keys(), checkpoint)) {
                long number = part.whole() ? FoundItems.count(documents) : found.count();
                entriesRead += documents.entriesRead();
                search.release();
                return number;
            }
        });
    }

    private IndexSearch search(Part part) {
        return IndexChoice.search(container, usable, part.view().snapshot(), part.keys(), checkpoint);
    }

    // ---- figures of texts ----

    /** The row of a query about all texts of a container; empty when the index does not tell it. */
    Optional<JsonValue> figures(List<Part> parts, QueryInputs inputs) {
        boolean possible = container.definition().defaultTtlSeconds().isEmpty()
                && parts.stream().allMatch(Part::whole);
        return possible
                ? query.textFigures(inputs)
                        .flatMap(figures -> sums(figures.figures(), parts))
                        .map(sums -> query.row(inputs, sums))
                        .filter(row -> !row.isUndefined())
                : Optional.empty();
    }

    private Optional<List<JsonValue>> sums(List<Figure> figures, List<Part> parts) {
        var sums = new long[figures.size()];
        for (var part : parts) {
            var search = search(part);
            if (search.hasUnindexed()) {
                return Optional.empty();
            }
            for (int i = 0; i < sums.length; i++) {
                var figure = figure(figures.get(i), search, part.view());
                if (figure.isEmpty()) {
                    return Optional.empty();
                }
                sums[i] += figure.get();
                entriesRead++;
            }
        }
        return Optional.of(
                Arrays.stream(sums).<JsonValue>mapToObj(JsonValue.Num::new).toList());
    }

    private static Optional<Long> figure(Figure figure, IndexSearch search, RangeView view) {
        return switch (figure) {
            case Figure.Items _ -> Optional.of(view.state().items());
            case Figure.Words(var place) -> search.words(place);
            case Figure.Hits(var condition) -> search.hits(condition);
        };
    }

    // ---- values of one place ----

    private static final long FED_BYTES = 512;

    private record Fed(Obj item, long count) {}

    private QueryRun fed(List<Fed> items, long rowsMax, QueryInputs inputs, RowSink sink) {
        var run = query.runFirst(rowsMax, inputs, sink);
        for (var fed : items) {
            if (!run.add(fed.item(), 0, fed.count())) {
                return run;
            }
        }
        return run;
    }

    private Optional<List<Fed>> items(Coverage.Values values, List<Part> parts) {
        if (!usable.has(values.place())) {
            return Optional.empty();
        }
        var items = new ArrayList<Fed>();
        for (var part : parts) {
            if (!part.whole()) {
                return Optional.empty();
            }
            var search = search(part);
            if (!query.hasFilter() && search.hasUnindexed()) {
                return Optional.empty();
            }
            var definition = container.definition().partitionKey();
            var runs = values.extremes() && !query.hasFilter()
                    ? ValueRuns.extremes(search, values.place(), definition)
                    : ValueRuns.of(search, values.place(), definition, values.numbers());
            if (runs.isEmpty()) {
                return Optional.empty();
            }
            entriesRead += values.numbers()
                    ? runs.get().stream().mapToLong(ValueRuns.Run::count).sum()
                    : runs.get().size();
            checkpoint.keep(FED_BYTES * runs.get().size());
            for (var run : runs.get()) {
                items.add(new Fed(item(values.place(), run.value()), values.numbers() ? run.count() : 1));
            }
        }
        return Optional.of(items);
    }

    /** An item that has a value at a place, and nothing else. */
    private static Obj item(List<Step> place, JsonValue value) {
        if (value.isUndefined()) {
            return Obj.EMPTY;
        }
        var inner = value;
        for (var step : place.reversed()) {
            inner = Obj.builder().put(((Step.Property) step).name(), inner).build();
        }
        return (Obj) inner;
    }
}
