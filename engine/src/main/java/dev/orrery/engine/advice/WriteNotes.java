package dev.orrery.engine.advice;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.index.ItemIndex;
import dev.orrery.engine.index.NamedIndex;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was written to one container: how often, for how much, which paths the items have, and which arrays grow. */
final class WriteNotes {
    private static final int DEPTH_MAX = 4;

    private long creates;
    private double createCharge;
    private long rewrites;
    private double rewriteCharge;
    private double charge;
    private double termsCharge;
    private long sampled;
    private long compared;
    private final Map<List<Step>, Terms> terms = new HashMap<>();
    private final Map<NamedIndex, Terms> named = new HashMap<>();
    private final Map<List<Step>, Growth> growths = new HashMap<>();
    private final Map<String, Values> kinds = new HashMap<>();

    /**
     * Values at a path, in the items that were looked at.
     *
     * @param bytes about how long they are together
     */
    record Terms(long count, long bytes) {
        Terms plus(Terms other) {
            return new Terms(count + other.count, bytes + other.bytes);
        }
    }

    /**
     * An array in the items that were replaced while somebody looked.
     *
     * @param changed how often it was longer or shorter afterwards, or had lost elements for as many others
     * @param added elements that it got in all when it grew
     * @param removed elements that it lost in all when it shrank
     * @param addedBytes by how much these items grew
     * @param longest the most elements
     * @param largestBytes size of the largest item with it
     * @param charge for the writes with which it grew
     * @param versionsCharge as much of it as is for the size of the items
     */
    record Growth(
            long changed,
            long grown,
            long added,
            long removed,
            long addedBytes,
            long longest,
            long largestBytes,
            double charge,
            double versionsCharge) {
        static final Growth NONE = new Growth(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Counts a write; null stands for no version. */
    synchronized void add(StoredItem before, StoredItem after, Bill bill) {
        double units = bill.requestUnits();
        charge += units;
        termsCharge += of(bill, Effort.TERMS_WRITTEN);
        if (before == null) {
            creates++;
            createCharge += units;
        } else if (after != null) {
            rewrites++;
            rewriteCharge += units;
        }
    }

    private static double of(Bill bill, Effort effort) {
        double units = 0;
        for (var line : bill.lines()) {
            units += line.effort() == effort ? line.requestUnits() : 0;
        }
        return units;
    }

    /** Looks into a write. */
    synchronized void sample(ContainerDefinition definition, ItemKey key, StoredItem after, Bill bill) {
        var item = after.text().asValue();
        sampled++;
        NamedIndex.rows(definition, key, after).forEach((index, rows) -> named.merge(index, terms(rows), Terms::plus));
        walk(item, List.of());
        countKinds(item, bill.requestUnits());
    }

    /** Looks at what a write has changed. */
    synchronized void compare(StoredItem before, StoredItem after, Bill bill) {
        compared++;
        compare(before, after, before.text().asValue(), after.text().asValue(), List.of(), bill);
    }

    private static Terms terms(List<ItemIndex.Row> rows) {
        var billed = rows.stream().filter(ItemIndex.Row::isTerm).toList();
        return new Terms(
                billed.size(),
                billed.stream().mapToLong(ItemIndex.Row::termBytes).sum());
    }

    /** Any property with few values may turn out to tell kinds of items apart. */
    private void countKinds(Obj item, double units) {
        item.members().forEach((name, value) -> {
            if ((value instanceof Str || value instanceof Bool)
                    && !SystemProperties.isSystemName(name)
                    && (kinds.size() < Limits.ADVICE_PATHS_MAX || kinds.containsKey(name))) {
                kinds.computeIfAbsent(name, _ -> new Values()).add(List.of(value), true, units);
            }
        });
    }

    private void walk(JsonValue value, List<Step> place) {
        switch (value) {
            case Obj object ->
                object.members().forEach((name, member) -> {
                    if (place.size() < DEPTH_MAX && !(place.isEmpty() && SystemProperties.isSystemName(name))) {
                        walk(member, with(place, new Step.Property(name)));
                    }
                });
            case Arr(var elements) -> {
                if (place.size() < DEPTH_MAX) {
                    elements.stream()
                            .limit(Limits.ADVICE_ROWS_MAX)
                            .forEach(element -> walk(element, with(place, new Step.AnyPosition())));
                }
            }
            case Str(var text) -> count(place, new Terms(1, Math.min(text.length(), ItemIndex.TERM_BYTES_MAX)));
            case JsonValue.Num _ -> count(place, new Terms(1, Double.BYTES));
            case JsonValue.Null _, JsonValue.Bool _ -> count(place, new Terms(1, 1));
            case JsonValue.Undefined _ -> {}
        }
    }

    private void count(List<Step> place, Terms more) {
        if (terms.size() < Limits.ADVICE_PATHS_MAX || terms.containsKey(place)) {
            terms.merge(place, more, Terms::plus);
        }
    }

    private void compare(StoredItem before, StoredItem after, Obj oldItem, Obj newItem, List<Step> place, Bill bill) {
        newItem.members().forEach((name, value) -> {
            var at = with(place, new Step.Property(name));
            if (value instanceof Arr(var elements) && oldItem.member(name) instanceof Arr(var known)) {
                int more = elements.size() - known.size();
                if (more != 0 || hasMoved(known, elements)) {
                    note(at, more, elements.size(), before, after, bill);
                }
            } else if (at.size() < DEPTH_MAX
                    && value instanceof Obj inner
                    && oldItem.member(name) instanceof Obj oldInner) {
                compare(before, after, oldInner, inner, at, bill);
            }
        });
    }

    /** Whether something came at one end and something went at the other, as in a list that is kept at one length. */
    private static boolean hasMoved(List<JsonValue> old, List<JsonValue> now) {
        return !now.isEmpty()
                && !old.getFirst().equals(now.getFirst())
                && !old.getLast().equals(now.getLast());
    }

    private void note(List<Step> place, int more, int length, StoredItem before, StoredItem after, Bill bill) {
        if (growths.size() >= Limits.ADVICE_PATHS_MAX && !growths.containsKey(place)) {
            return;
        }
        var known = growths.getOrDefault(place, Growth.NONE);
        boolean grew = more > 0;
        growths.put(
                place,
                new Growth(
                        known.changed + 1,
                        known.grown + (grew ? 1 : 0),
                        known.added + (grew ? more : 0),
                        known.removed + (grew ? 0 : -more),
                        known.addedBytes + (grew ? Math.max(0, after.sizeBytes() - before.sizeBytes()) : 0),
                        Math.max(known.longest, length),
                        Math.max(known.largestBytes, after.sizeBytes()),
                        known.charge + (grew ? bill.requestUnits() : 0),
                        known.versionsCharge + (grew ? of(bill, Effort.VERSIONS_REPLACED) : 0)));
    }

    private static List<Step> with(List<Step> place, Step step) {
        var longer = new ArrayList<Step>(place.size() + 1);
        longer.addAll(place);
        longer.add(step);
        return longer;
    }

    /**
     * What was seen.
     *
     * @param termsCharge as much of the charge as is for index entries
     * @param sampled how many writes were looked into
     * @param compared how many of them were compared with what was there before
     * @param terms by place, in those
     * @param named the terms of indexes that are not of single values, in those
     * @param growths by path, in those
     * @param kinds the values of properties with few of them, by name, in those
     */
    record Figures(
            long creates,
            double createCharge,
            long rewrites,
            double rewriteCharge,
            double charge,
            double termsCharge,
            long sampled,
            long compared,
            Map<List<Step>, Terms> terms,
            Map<NamedIndex, Terms> named,
            Map<String, Growth> growths,
            Map<String, Values.Figures> kinds) {
        Figures {
            terms = Map.copyOf(terms);
            named = Map.copyOf(named);
            growths = Map.copyOf(growths);
            kinds = Map.copyOf(kinds);
        }

        long writes() {
            return creates + rewrites;
        }

        /** For how many rewrites some of those stand that were compared. */
        long ofAll(long some) {
            return compared == 0 ? 0 : Math.round((double) some * rewrites / compared);
        }

        /** How many elements an item has at a place inside an array, on average; at least one where none was seen. */
        double elements(String place) {
            return terms.entrySet().stream()
                    .filter(term -> IndexPath.spelled(term.getKey()).equals(place))
                    .mapToDouble(term -> (double) term.getValue().count() / sampled)
                    .findFirst()
                    .orElse(1);
        }
    }

    synchronized Figures figures() {
        var byPath = new HashMap<String, Growth>();
        growths.forEach((place, growth) -> byPath.put(IndexPath.spelled(place), growth));
        var byName = new HashMap<String, Values.Figures>();
        kinds.forEach((name, values) -> byName.put(name, values.figures()));
        return new Figures(
                creates,
                createCharge,
                rewrites,
                rewriteCharge,
                charge,
                termsCharge,
                sampled,
                compared,
                terms,
                named,
                byPath,
                byName);
    }
}
