package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Str;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which queries ask many physical partitions, and what they could ask instead. */
final class FanOutAdvice {
    private static final double FAN_OUT_MIN = 1.5;

    /** A stretch of values as wide as the key that they share begins in one and ends in the next. */
    private static final int KEYS_OF_STRETCH = 2;

    /** Said before what writes cost. */
    private static final String VIEWS =
            " This server asks nothing for keeping a view, but others may, as a consumer does.";

    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}.*");

    private final Subject subject;

    FanOutAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return subject.seen().patterns().stream()
                .filter(pattern -> !pattern.keyed()
                        && pattern.fanOut() >= FAN_OUT_MIN
                        && pattern.effects().aggregates() == 0
                        && !QueryByIdAdvice.isAbout(pattern))
                .flatMap(pattern -> remedy(pattern).map(remedy -> finding(pattern, remedy)).stream())
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    /**
     * What to do about a query.
     *
     * @param proposal without what it costs to write
     * @param after the charge of a call
     */
    private record Remedy(Kind kind, String title, String proposal, double after, Upkeep upkeep) {}

    /** The first that fits: the more values a key has, the better it spreads. */
    private Optional<Remedy> remedy(PatternNotes.Figures pattern) {
        var filters = pattern.filters();
        return most(filters.values(), this::isManifold)
                .map(key -> asOwnKey(pattern, key, filters.values().get(key))
                        .orElseGet(() -> underKey(pattern, key, filters.values().get(key))))
                .or(() -> most(filters.elements(), this::isManifold)
                        .map(place -> forEachElement(
                                pattern, place, filters.elements().get(place))))
                .or(() -> pattern.sort().stream()
                        .findFirst()
                        .filter(sort -> isKeptList(pattern, sort))
                        .map(sort -> list(pattern, sort)))
                .or(() -> filters.stretches().entrySet().stream()
                        .filter(stretch -> isSpread(pattern) && !subject.isRouted(stretch.getKey()))
                        .min(Map.Entry.comparingByKey())
                        .map(stretch -> underSharedKey(pattern, stretch.getKey(), stretch.getValue())))
                .or(() -> most(filters.values(), Values.Figures::isKind)
                        .filter(_ -> filters.stretches().isEmpty())
                        .map(key -> apart(pattern, key, filters.values().get(key))));
    }

    /** The path with the most values. */
    private Optional<String> most(Map<String, Values.Figures> values, Predicate<Values.Figures> fits) {
        return values.entrySet().stream()
                .filter(path -> !subject.isRouted(path.getKey())
                        && !path.getKey().equals(QueryByIdAdvice.ID)
                        && fits.test(path.getValue()))
                .max(Comparator.<Map.Entry<String, Values.Figures>>comparingInt(
                                path -> path.getValue().distinct())
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
    }

    /** Whether there are more values than physical partitions to spread over. */
    private boolean isManifold(Values.Figures values) {
        return values.distinct() > subject.ranges();
    }

    // ---- under another key ----

    private Remedy underKey(PatternNotes.Figures pattern, String key, Values.Figures values) {
        var view = subject.viewUnder(key);
        return new Remedy(
                Kind.FAN_OUT,
                title(key, values),
                view.map(name -> "Ask '" + name + "', the view that has the partition key " + key + "."
                                + order(pattern, key))
                        .orElseGet(() -> "Keep a copy of these items under the partition key " + key + ", so that "
                                + whoAnswers(values)
                                + ": a view of " + subject.source() + " with the definition \"SELECT * FROM c"
                                + subject.commonFilter(pattern)
                                + "\", or a container that a consumer of the change feed writes." + VIEWS
                                + order(pattern, key)),
                after(pattern, values.perCall()),
                view.isPresent() ? Upkeep.NONE : subject.upkeep(pattern));
    }

    /** Where nothing is asked by the present key, what is asked for the most may as well be the key. */
    private Optional<Remedy> asOwnKey(PatternNotes.Figures pattern, String key, Values.Figures values) {
        boolean dearest = subject.seen().patterns().stream()
                .allMatch(other -> other.effects().charge() <= pattern.effects().charge());
        boolean ofAllItems = subject.commonFilter(pattern).isEmpty();
        return dearest && ofAllItems && subject.viewUnder(key).isEmpty() && subject.isNeverAskedByItsKey()
                ? Optional.of(new Remedy(
                        Kind.FAN_OUT,
                        title(key, values),
                        "Make " + key + " the partition key, so that " + whoAnswers(values)
                                + ": nothing was asked by " + subject.partitionKey()
                                + " so far. A partition key is for ever, so that takes a new container, to which the"
                                + " items are copied once." + order(pattern, key),
                        after(pattern, values.perCall()),
                        Upkeep.NONE))
                : Optional.empty();
    }

    private String title(String key, Values.Figures values) {
        return "A query of " + subject.name() + " by " + (values.hasLists() ? "lists of " : "") + key
                + " asks every physical partition";
    }

    /**
     * Without an index of both, all that has the key would be read and sorted, which is too much only for who wants the
     * first few of it; but nobody may sort by several properties without an index of them.
     */
    private static String order(PatternNotes.Figures pattern, String key) {
        boolean few = pattern.rowsMax() <= Limits.PAGE_ITEMS_DEFAULT;
        if (pattern.sort().isEmpty() || (!few && pattern.sort().size() == 1)) {
            return "";
        }
        var sort = pattern.sort().stream().map(PatternNotes.Order::spelled);
        var first = key + (pattern.sort().getFirst().descending() ? " DESC" : " ASC");
        var parts = (few ? Stream.concat(Stream.of(first), sort) : sort).distinct();
        return " For the order it needs the composite index (" + Subject.composite(parts.toList()) + ").";
    }

    private String whoAnswers(Values.Figures values) {
        return values.hasLists()
                ? "a call for " + Subject.decimal(values.perCall()) + " values asks "
                        + Subject.decimal(subject.rangesOf(values.perCall())) + " of " + subject.ranges()
                        + " partitions"
                : "one partition answers";
    }

    private Remedy forEachElement(PatternNotes.Figures pattern, String place, Values.Figures values) {
        var array = place.substring(0, place.lastIndexOf("/[]"));
        var field = place.substring(array.length() + "/[]".length());
        double copies = subject.seen().writes().elements(place);
        return new Remedy(
                Kind.FAN_OUT,
                "A query of " + subject.name() + " by an element of " + array + " asks every physical partition",
                "No partition key reaches into an array. Keep a copy of an item for each element of " + array
                        + ", in a container with the partition key "
                        + (field.isEmpty() ? "/element, which has the element" : field)
                        + ", so that " + whoAnswers(values)
                        + ": a consumer of the change feed writes it, and the id of a copy is made of both.",
                after(pattern, values.perCall()),
                subject.upkeep(pattern).times(copies));
    }

    /** Under the other key there is nothing but what belongs to its values, so no index has to sort out the rest. */
    private double after(PatternNotes.Figures pattern, double keys) {
        var effects = pattern.effects();
        long indexKeys = Math.min(effects.indexKeys(), Math.max(effects.itemsLoaded(), effects.rows()));
        return subject.expected(
                pattern, requests(pattern, keys, effects.rows()), indexKeys, effects.itemsLoaded(), effects.rows());
    }

    /** Of all calls together: one to each physical partition, and one for each further page. */
    private long requests(PatternNotes.Figures pattern, double keys, long rows) {
        double pages = Math.floor(Math.max(0, pattern.perCall((double) rows) - 1) / pattern.pageRowsMax());
        return Math.round(pattern.calls() * (subject.rangesOf(keys) + pages));
    }

    // ---- what no key of its own serves ----

    /** Whether all calls ask for the first items of the same few lists. */
    private static boolean isKeptList(PatternNotes.Figures pattern, PatternNotes.Order sort) {
        return pattern.rowsMax() <= Limits.PAGE_ITEMS_DEFAULT
                && pattern.filters().complete()
                && pattern.filters().stretches().entrySet().stream()
                        .allMatch(stretch -> stretch.getKey().equals(sort.path())
                                && !(sort.descending()
                                        ? stretch.getValue().high()
                                        : stretch.getValue().low()));
    }

    private Remedy list(PatternNotes.Figures pattern, PatternNotes.Order sort) {
        long rows = Math.min(pattern.effects().rows(), pattern.rowsMax() * pattern.calls());
        var values = pattern.filters().values();
        var key = most(values, _ -> true);
        var each = key.filter(path -> values.get(path).distinct() > 1);
        return new Remedy(
                Kind.GATHERED_LIST,
                "The first " + pattern.rowsMax() + " items of " + subject.name() + " by " + sort.path()
                        + " are gathered from every physical partition",
                "Keep these " + pattern.rowsMax() + " items"
                        + each.map(path -> " of each " + path).orElse("")
                        + " in a small container of their own, "
                        + each.map(path -> "under the partition key " + path)
                                .orElse("all under one partition key"
                                        + key.map(path -> " such as " + path).orElse(""))
                        + ": a consumer of the change feed of " + subject.name()
                        + " writes them, and a trigger removes what has fallen off the end.",
                subject.expected(pattern, requests(pattern, 1, rows), rows, rows, rows),
                subject.upkeep(pattern).times(2).plusForEach(trimming(pattern)));
    }

    /** For each that comes, another one goes: a trigger counts what is there, finds the last one and removes it. */
    private double trimming(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        long bytes = effects.itemsLoaded() == 0 ? 0 : effects.itemBytes() / effects.itemsLoaded();
        long looked = 2 * pattern.rowsMax();
        var work = new Work()
                .add(Effort.RANGES_PROBED, 2)
                .add(Effort.ITEMS_LOADED, looked, looked * bytes)
                .add(Effort.AGGREGATES, 1);
        return subject.prices().bill(work).requestUnits();
    }

    /** Whether a call wants so little that keys as wide as that still have more values than there are partitions. */
    private boolean isSpread(PatternNotes.Figures pattern) {
        return pattern.perCall((double) pattern.effects().rows()) * subject.ranges() < pattern.itemsThere();
    }

    private Remedy underSharedKey(PatternNotes.Figures pattern, String path, FilterNotes.Stretch stretch) {
        return new Remedy(
                Kind.FAN_OUT,
                "A query of " + subject.name() + " by "
                        + (stretch.lettersMin() > 0 ? "the beginning" : "a range") + " of " + path
                        + " asks every physical partition",
                "No partition key stops this by itself, as it spreads values by a hash. Keep a copy of these items"
                        + " under "
                        + sharedKey(path, stretch)
                        + " The copy may be a view of " + subject.source()
                        + " that selects the key, or a container that a consumer of the change feed writes." + VIEWS,
                afterSharing(pattern, stretch),
                subject.upkeep(pattern));
    }

    /** What has the keys of a call is looked through, twice as much as is wanted. */
    private double afterSharing(PatternNotes.Figures pattern, FilterNotes.Stretch stretch) {
        var effects = pattern.effects();
        return subject.expected(
                pattern,
                requests(pattern, stretch.lettersMin() > 0 ? 1 : KEYS_OF_STRETCH, effects.rows()),
                0,
                KEYS_OF_STRETCH * effects.rows(),
                effects.rows());
    }

    private static String sharedKey(String path, FilterNotes.Stretch stretch) {
        if (stretch.lettersMin() > 0) {
            return "the first " + (stretch.lettersMin() == 1 ? "letter" : stretch.lettersMin() + " letters") + " of "
                    + path + ", and name these in the query: every call has as many.";
        }
        return "a coarser key, such as "
                + (stretch.example() instanceof Str(var text)
                        ? (DAY.matcher(text).matches() ? "the day of " : "the first letters of ") + path
                        : path + " divided by the usual width of a range and rounded down")
                + ", and name it in the query beside the range: about as wide as the range, so that a call asks for one"
                + " or two. All that is written with the same key goes to one partition.";
    }

    /** A few values, of which each call asks for some: there are too few for a key of all items, but not for these. */
    private Remedy apart(PatternNotes.Figures pattern, String key, Values.Figures values) {
        return new Remedy(
                Kind.FAN_OUT,
                "A query of " + subject.name() + " for few items by " + key + " asks every physical partition",
                "Keep a copy of these items only, as long as they are few, under the partition key " + key
                        + ", so that " + whoAnswers(values) + ": a view of " + subject.source()
                        + " with the definition \"SELECT * FROM c" + subject.commonFilter(pattern)
                        + "\", or a container that a consumer of the change feed writes." + VIEWS,
                after(pattern, values.perCall()),
                subject.upkeep(pattern));
    }

    // ---- words ----

    private Finding finding(PatternNotes.Figures pattern, Remedy remedy) {
        var effects = pattern.effects();
        return subject.finding(
                remedy.kind(),
                remedy.title(),
                List.of(
                        pattern.text(),
                        Subject.count(pattern.calls()) + " calls, each to " + Subject.decimal(pattern.fanOut())
                                + " physical partitions; " + pattern.average(effects.itemsLoaded())
                                + " items loaded for " + Subject.decimal(pattern.rowsPerCall()) + " rows a call"),
                remedy.proposal(),
                new Charge("call", pattern.calls(), pattern.charge(), remedy.after(), remedy.upkeep()));
    }
}
