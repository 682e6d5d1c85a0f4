package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.budget.Effort;
import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Location;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A container that is looked at, and what was seen of it. */
record Subject(Container container, Location location, ContainerNotes.Figures seen, Prices prices) {
    /** What happened less often may have been an accident. */
    static final int CALLS_MIN = 20;

    /** What saves less than this share of a charge is not worth saying. */
    static final double SHARE_MIN = 0.1;

    Finding finding(Finding.Kind kind, String title, List<String> figures, String proposal, Charge charge) {
        return new Finding(kind, location, title, figures, proposal, charge);
    }

    ContainerUse use() {
        var queries = seen.patterns().stream()
                .filter(pattern -> pattern.calls() > 0)
                .sorted(Comparator.comparingDouble((PatternNotes.Figures pattern) ->
                                pattern.effects().charge())
                        .reversed())
                .map(PatternNotes.Figures::use)
                .toList();
        long requests = seen.reads() + seen.writes().writes() + seen.queryCalls();
        return new ContainerUse(location, requests, seen.charge(), queries);
    }

    int ranges() {
        return container.ranges().live().size();
    }

    String name() {
        return "'" + location.container() + "'";
    }

    /** The paths of its partition key, as {@code /a, /b}. */
    String partitionKey() {
        return container.definition().partitionKey().paths().stream()
                .map(JsonPath::text)
                .collect(Collectors.joining(", "));
    }

    boolean isPartitionKey(String path) {
        return container.definition().partitionKey().paths().stream()
                .anyMatch(key -> key.text().equals(path));
    }

    /** What a call of a query would cost that did some other work. */
    double expected(PatternNotes.Figures pattern, long rangesAsked, long indexKeys, long itemsLoaded, long rows) {
        var effects = pattern.effects();
        long itemBytes = scaled(effects.itemBytes(), effects.itemsLoaded(), itemsLoaded);
        long rowBytes = scaled(effects.rowBytes(), effects.rows(), rows);
        var work = new Work()
                .add(Effort.RANGES_PROBED, rangesAsked)
                .add(Effort.INDEX_KEYS, indexKeys)
                .add(Effort.ITEMS_LOADED, itemsLoaded, itemBytes)
                .add(Effort.RESULT, rows, rowBytes)
                .add(Effort.AGGREGATES, effects.aggregates());
        return Math.min(pattern.charge(), pattern.perCall(prices.bill(work).requestUnits()));
    }

    private static long scaled(long bytes, long ofCount, long count) {
        return ofCount == 0 ? 0 : Math.round((double) bytes / ofCount * count);
    }

    static boolean isWorthSaying(Charge charge) {
        return charge.count() >= CALLS_MIN && charge.before() - charge.after() >= charge.before() * SHARE_MIN;
    }

    // ---- words ----

    static String units(double requestUnits) {
        return String.format(Locale.ROOT, "%,.2f RU", requestUnits);
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String decimal(double number) {
        return String.format(Locale.ROOT, "%,.1f", number);
    }

    static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    static String quoted(JsonValue value) {
        return value instanceof Str(var text) ? "'" + text + "'" : JsonWriter.text(value);
    }

    /** The kind of items that a query asks for, when it is always the same: {@code c.type = 'post'}. */
    Optional<String> kindFilter(PatternNotes.Figures pattern) {
        return seen.kindProperty()
                .flatMap(property -> Optional.ofNullable(pattern.values().get("/" + property))
                        .filter(values -> !values.many() && values.shares().size() == 1)
                        .map(values -> "c." + property + " = "
                                + quoted(values.shares().keySet().iterator().next())));
    }
}
