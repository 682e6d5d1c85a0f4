package dev.orrery.engine.index;

import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.IndexKey.Kind;
import dev.orrery.engine.key.ValueBytes;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.Span;
import dev.orrery.sql.plan.SortPlace;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An index whose entries are in the order that a query asks for, or in the opposite one.
 *
 * @param entries those that can satisfy the query's conditions
 * @param fixed how many values at the beginning of an entry are the same in all of them, and not sorted by
 * @param descending for each value of an entry whether it is written in the opposite order
 * @param places that are sorted by
 * @param downwards for each of them whether the query wants the greatest first
 * @param tiesTurned whether entries with the same values come in the opposite order of what the query wants
 * @param complete whether items without a single value at the place, which have no entry, satisfy the conditions too
 */
public record SortIndex(
        Kind kind,
        KeyRange entries,
        int fixed,
        List<Boolean> descending,
        List<List<Step>> places,
        List<Boolean> downwards,
        Direction direction,
        boolean tiesTurned,
        boolean complete) {

    /** The index that serves a query best; empty when none does. */
    public static Optional<SortIndex> of(UsableIndexes usable, List<SortPlace> sort, Condition condition) {
        if (sort.isEmpty() || sort.stream().anyMatch(key -> key.place().isEmpty())) {
            return Optional.empty();
        }
        return usable.composites().stream()
                .map(index -> composite(index, sort, condition))
                .flatMap(Optional::stream)
                .max((one, other) -> Integer.compare(one.fixed, other.fixed))
                .or(() -> sort.size() == 1 ? single(usable, sort.getFirst(), condition) : Optional.empty());
    }

    private static Optional<SortIndex> single(UsableIndexes usable, SortPlace sort, Condition condition) {
        var place = sort.place().orElseThrow();
        if (!usable.has(place)) {
            return Optional.empty();
        }
        var span = span(condition, place);
        var number = Place.of(place);
        return Optional.of(new SortIndex(
                Kind.VALUE,
                span.map(Target::of)
                        .map(target -> IndexKey.between(Kind.VALUE, number, target.from(), target.to()))
                        .orElseGet(() -> IndexKey.all(Kind.VALUE, number)),
                0,
                List.of(false),
                List.of(place),
                List.of(sort.descending()),
                sort.descending() ? Direction.BACKWARD : Direction.FORWARD,
                false,
                span.isEmpty()));
    }

    /** One that begins with values that the query fixes, and goes on with those that it sorts by. */
    private static Optional<SortIndex> composite(CompositeIndex index, List<SortPlace> sort, Condition condition) {
        var parts = index.parts();
        int fixed = parts.size() - sort.size();
        if (fixed < 0) {
            return Optional.empty();
        }
        var descending = ItemIndex.descending(index);
        var prefix = prefix(index, condition);
        if (prefix.size() < fixed) {
            return Optional.empty();
        }
        boolean sameWay = descending.get(fixed) == sort.getFirst().descending();
        // Ties go the way of the first value of an entry, which need not be the one that the query sorts by first.
        boolean tiesTurned =
                (descending.getFirst() == sameWay) != sort.getFirst().descending();
        for (int i = 0; i < sort.size(); i++) {
            var part = parts.get(fixed + i);
            boolean fits = part.path().steps().equals(sort.get(i).place().orElseThrow())
                    && (descending.get(fixed + i) == sort.get(i).descending()) == sameWay;
            if (!fits) {
                return Optional.empty();
            }
        }
        var start = IndexKey.compositeTarget(prefix, descending);
        var number = ItemIndex.number(index);
        int next = prefix.size();
        var entries = (next < parts.size()
                        ? span(condition, parts.get(next).path().steps())
                        : Optional.<Span>empty())
                .map(Target::of)
                .map(target -> descending.get(next) ? target.inverted() : target)
                .map(target -> target.behind(start))
                .map(target -> IndexKey.between(Kind.COMPOSITE, number, target.from(), target.to()))
                .orElseGet(() -> IndexKey.startingWith(Kind.COMPOSITE, number, start));
        return Optional.of(new SortIndex(
                Kind.COMPOSITE,
                entries,
                fixed,
                descending,
                sort.stream().map(key -> key.place().orElseThrow()).toList(),
                sort.stream().map(SortPlace::descending).toList(),
                sameWay ? Direction.FORWARD : Direction.BACKWARD,
                tiesTurned,
                false));
    }

    /** The values that a condition fixes, as far as the index begins with them. */
    private static List<JsonValue> prefix(CompositeIndex index, Condition condition) {
        var prefix = new ArrayList<JsonValue>();
        for (var part : index.parts()) {
            if (span(condition, part.path().steps()).orElse(null) instanceof Span.Exactly(var value)
                    && !ValueBytes.isRough(value)) {
                prefix.add(value);
            } else {
                break;
            }
        }
        return prefix;
    }

    /** The one stretch that a condition confines the value at a place to. */
    private static Optional<Span> span(Condition condition, List<Step> place) {
        return switch (condition) {
            case Condition.Value value ->
                value.place().equals(place) && value.spans().size() == 1
                        ? Optional.of(value.spans().getFirst())
                        : Optional.empty();
            case Condition.All(var parts) ->
                parts.stream()
                        .map(part -> part instanceof Condition.Value ? span(part, place) : Optional.<Span>empty())
                        .flatMap(Optional::stream)
                        .min((one, other) ->
                                Boolean.compare(other instanceof Span.Exactly, one instanceof Span.Exactly));
            case Condition.Anything _,
                    Condition.Any _,
                    Condition.Element _,
                    Condition.Presence _,
                    Condition.Near _,
                    Condition.Words _ -> Optional.empty();
        };
    }

    public boolean isOf(CompositeIndex index) {
        return kind == Kind.COMPOSITE && IndexKey.number(entries.from()) == ItemIndex.number(index);
    }

    /** The values that an entry is sorted by; empty for one that stands for several, because its values are rough. */
    Optional<List<JsonValue>> values(byte[] key) {
        var target = IndexKey.target(key);
        var values = new ArrayList<JsonValue>();
        int at = 0;
        for (boolean inverted : descending) {
            var decoded = ValueBytes.decode(inverted ? IndexKey.inverted(target) : target, at);
            if (decoded.value().isEmpty()) {
                return Optional.empty();
            }
            values.add(decoded.value().get());
            at = decoded.end();
        }
        return Optional.of(values.subList(fixed, values.size()));
    }

    /** How the keys of all entries begin that share the first rough value of an entry. */
    byte[] rough(byte[] key) {
        var target = IndexKey.target(key);
        int at = 0;
        for (boolean inverted : descending) {
            var decoded = ValueBytes.decode(inverted ? IndexKey.inverted(target) : target, at);
            at = decoded.end();
            if (decoded.value().isEmpty()) {
                break;
            }
        }
        return Arrays.copyOf(key, IndexKey.TARGET_START + at);
    }

    long document(byte[] key) {
        long number = IndexKey.document(key);
        return kind == Kind.COMPOSITE && descending.getFirst() ? ~number : number;
    }

    /** The entries from a place in the order on; some before it may be among them when ties are turned or rough. */
    KeyRange entriesFrom(List<JsonValue> values, long document) {
        var known =
                values.stream().takeWhile(value -> !ValueBytes.isRough(value)).toList();
        byte[] key;
        if (tiesTurned && known.size() == values.size()) {
            key = roughKey(values);
        } else if (known.size() < values.size()) {
            key = roughKey(values.subList(0, known.size() + 1));
        } else if (kind == Kind.VALUE) {
            key = IndexKey.value(IndexKey.number(entries.from()), values.getFirst(), document);
        } else {
            key = IndexKey.composite(IndexKey.number(entries.from()), withFixed(values), descending, document);
        }
        return direction == Direction.FORWARD ? IndexKey.from(entries, key) : IndexKey.upTo(entries, key);
    }

    private byte[] roughKey(List<JsonValue> values) {
        var target = kind == Kind.VALUE
                ? ValueBytes.encode(values.getFirst())
                : IndexKey.compositeTarget(withFixed(values), descending);
        return IndexKey.startingWith(kind, IndexKey.number(entries.from()), target)
                .from();
    }

    private List<JsonValue> withFixed(List<JsonValue> values) {
        var all = new ArrayList<JsonValue>();
        var target = IndexKey.targetStart(entries.from());
        int at = 0;
        for (int i = 0; i < fixed; i++) {
            var decoded = ValueBytes.decode(descending.get(i) ? IndexKey.inverted(target) : target, at);
            all.add(decoded.value().orElseThrow());
            at = decoded.end();
        }
        all.addAll(values);
        return all;
    }

    /** The order of the query. */
    public int compare(List<JsonValue> left, long leftDocument, List<JsonValue> right, long rightDocument) {
        for (int i = 0; i < places.size(); i++) {
            int order = JsonOrder.INSTANCE.compare(left.get(i), right.get(i));
            if (order != 0) {
                return downwards.get(i) ? -Integer.signum(order) : order;
            }
        }
        int order = Long.compare(leftDocument, rightDocument);
        return downwards.getFirst() ? -order : order;
    }

    /** What an item, as indexes see it, is sorted by. */
    List<JsonValue> valuesOf(JsonValue item) {
        return places.stream().map(place -> Place.in(item, place)).toList();
    }

    List<JsonValue> nothing() {
        return Collections.nCopies(places.size(), JsonValue.UNDEFINED);
    }
}
