package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.charge.Effort;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A container that is looked at, and what was seen of it. */
record Subject(Container container, Location location, Views views, ContainerNotes.Figures seen, Prices prices) {
    /**
     * What is kept of it under other keys.
     *
     * @param byKey the names of its views by their partition key
     * @param source the name of what it is a view of itself
     */
    record Views(Map<String, String> byKey, Optional<String> source) {
        Views {
            byKey = Map.copyOf(byKey);
        }
    }

    /** What happened less often may have been an accident. */
    static final int CALLS_MIN = 20;

    /** What change feed processors of every language write. */
    private static final List<String> LEASE_PROPERTIES = List.of("LeaseToken", "ContinuationToken", "Owner");

    /** More values than these are not what items have in common. */
    private static final int COMMON_MAX = 4;

    /** About as long as a value in an index is. */
    private static final int VALUE_BYTES = 16;

    private static final String ASCENDING = " ASC";
    private static final String DESCENDING = " DESC";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

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
        return new ContainerUse(location, seen.requests(), seen.charge(), queries);
    }

    int ranges() {
        return container.ranges().live().size();
    }

    String name() {
        return "'" + location.container() + "'";
    }

    Optional<String> viewUnder(String key) {
        return Optional.ofNullable(views.byKey().get(key));
    }

    /** What a further view would be one of. */
    String source() {
        return views.source().map(name -> "'" + name + "'").orElse(name());
    }

    /** The paths of its partition key, as {@code /a, /b}. */
    String partitionKey() {
        return container.definition().partitionKey().paths().stream()
                .map(JsonPath::text)
                .collect(Collectors.joining(", "));
    }

    /** Whether a query that names it need not ask every physical partition: the first path of the partition key. */
    boolean isRouted(String path) {
        return container.definition().partitionKey().paths().getFirst().text().equals(path);
    }

    /**
     * Whether nobody has read an item or named a partition key in a query; what is copied from elsewhere has its key for
     * a reason.
     */
    boolean isNeverAskedByItsKey() {
        return seen.reads() == 0
                && seen.patterns().stream().noneMatch(pattern -> pattern.keyed() && pattern.calls() > 0)
                && seen.scripted().isEmpty()
                && views.source().isEmpty();
    }

    /** Queries that name it may do so beside their text, where nobody sees that they need its index elsewhere. */
    boolean isInPartitionKey(List<Step> place) {
        return container.definition().partitionKey().paths().stream()
                .anyMatch(path -> IndexPath.place(path).equals(place));
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

    /** In how many physical partitions some values of a partition key lie, on average. */
    double rangesOf(double values) {
        return ranges() * (1 - Math.pow(1 - 1.0 / ranges(), values));
    }

    /** What a further value costs that every write puts into an index. */
    double priceOfTerm(int values) {
        return prices.bill(new Work().add(Effort.TERMS_WRITTEN, 1, (long) values * VALUE_BYTES))
                .requestUnits();
    }

    /** What writing copies of the items that a query asks for would have cost. A copy costs about what the item itself did; of the writes that were looked into, it is known what they were. */
    Upkeep upkeep(PatternNotes.Figures pattern) {
        var writes = seen.writes();
        return common(pattern).entrySet().stream()
                .flatMap(property -> share(writes, property.getKey(), property.getValue()).stream())
                .min(Comparator.comparingLong(Values.Share::calls))
                .map(share -> {
                    long copies = Math.round((double) writes.writes() * share.calls() / writes.sampled());
                    return new Upkeep(copies, share.charge() / share.calls() * copies);
                })
                .orElse(new Upkeep(writes.writes(), writes.charge()));
    }

    /** How many items of a kind, or of any, were written that had not been there. */
    long writesWith(Optional<JsonValue> kind) {
        var writes = seen.writes();
        return kind.flatMap(value -> seen.kindProperty().flatMap(property -> share(writes, property, Set.of(value))))
                .map(share -> Math.round((double) writes.creates() * share.calls() / writes.sampled()))
                .orElse(writes.creates());
    }

    private static Optional<Values.Share> share(WriteNotes.Figures writes, String property, Set<JsonValue> values) {
        return Optional.ofNullable(writes.kinds().get(property))
                .filter(written -> !written.many())
                .map(written -> values.stream()
                        .flatMap(value -> Stream.ofNullable(written.shares().get(value)))
                        .reduce(new Values.Share(0, 0), (one, other) -> one.plus(other.calls(), other.charge())))
                .filter(share -> share.calls() > 0);
    }

    private static long scaled(long bytes, long ofCount, long count) {
        return ofCount == 0 ? 0 : Math.round((double) bytes / ofCount * count);
    }

    static boolean isWorthSaying(Charge charge) {
        return charge.count() >= CALLS_MIN && charge.before() - charge.after() >= charge.before() * SHARE_MIN;
    }

    // ---- words ----

    /** The parts of a composite index, the first one ascending: read backwards it serves the opposite orders. */
    static String composite(List<String> parts) {
        boolean turned = parts.getFirst().endsWith(DESCENDING);
        return parts.stream().map(part -> turned ? turned(part) : part).collect(Collectors.joining(", "));
    }

    private static String turned(String part) {
        return part.endsWith(DESCENDING)
                ? part.substring(0, part.length() - DESCENDING.length()) + ASCENDING
                : part.substring(0, part.length() - ASCENDING.length()) + DESCENDING;
    }

    static String units(double requestUnits) {
        return String.format(Locale.ROOT, "%,.2f RU", requestUnits);
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String decimal(double number) {
        return String.format(Locale.ROOT, "%,.1f", number);
    }

    static String hundredths(double number) {
        return String.format(Locale.ROOT, "%,.2f", number);
    }

    static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    static String quoted(JsonValue value) {
        return value instanceof Str(var text) ? "'" + text + "'" : JsonWriter.text(value);
    }

    /** The top-level properties of which all calls of a query ask for the same few values. */
    Map<String, Set<JsonValue>> common(PatternNotes.Figures pattern) {
        var common = new TreeMap<String, Set<JsonValue>>();
        pattern.filters().values().forEach((path, values) -> {
            var property = path.substring(1);
            if (values.isKind()
                    && values.distinct() <= COMMON_MAX
                    && NAME.matcher(property).matches()) {
                common.put(property, values.shares().keySet());
            }
        });
        return common;
    }

    /** What these properties are like, as the definition of a view says it: {@code  WHERE c.type = 'post'}. */
    String commonFilter(PatternNotes.Figures pattern) {
        var terms = common(pattern).entrySet().stream()
                .map(property -> "c." + property.getKey() + (property.getValue().size() == 1 ? " = " : " IN (")
                        + property.getValue().stream()
                                .map(Subject::quoted)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + (property.getValue().size() == 1 ? "" : ")"))
                .collect(Collectors.joining(" AND "));
        return terms.isEmpty() ? "" : " WHERE " + terms;
    }

    /** Whether an SDK keeps it for itself: nobody could change what it asks of its leases. */
    boolean isOfLeases() {
        var paths = seen.writes().terms().keySet();
        return LEASE_PROPERTIES.stream().allMatch(name -> paths.contains(List.of(new Step.Property(name))));
    }
}
