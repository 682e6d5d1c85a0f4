package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Knows which slots of a query hold an item or something at a place inside it. */
final class ItemPlaces {
    private static final Step ANY_POSITION = new Step.AnyPosition();

    private final boolean computed;
    private final Map<Integer, List<Step>> slots = new HashMap<>();

    private ItemPlaces(boolean computed) {
        this.computed = computed;
    }

    /** Places as indexes know them, computed properties among them. */
    static ItemPlaces indexed() {
        return new ItemPlaces(true);
    }

    /** Places of what is stored. */
    static ItemPlaces stored() {
        return new ItemPlaces(false);
    }

    void add(Source source) {
        switch (source) {
            case Source.Items(int slot) -> slots.put(slot, List.of());
            case Source.Single(var value, int slot) -> of(value).ifPresent(place -> slots.put(slot, place));
            case Source.Elements(var array, int slot) -> of(array).ifPresent(place -> slots.put(slot, elements(place)));
            case Source.ItemRows _, Source.Rows _ -> {}
        }
    }

    /** The place that an expression reads, if it does nothing else. */
    Optional<List<Step>> of(Bound expression) {
        return switch (expression) {
            case Bound.Slot(int slot) -> Optional.ofNullable(slots.get(slot));
            case Bound.Property(var target, var name) -> of(target).map(place -> property(place, name));
            case Bound.Computed(var item, var name, var _) ->
                computed ? of(item).map(place -> property(place, name)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** The way from a slot to what an expression reads. */
    static Optional<List<Step>> stepsFrom(int slot, Bound expression) {
        return switch (expression) {
            case Bound.Slot(int other) -> slot == other ? Optional.of(List.of()) : Optional.empty();
            case Bound.Property(var target, var name) -> stepsFrom(slot, target).map(place -> property(place, name));
            default -> Optional.empty();
        };
    }

    static List<Step> property(List<Step> place, String name) {
        return extended(place, new Step.Property(name));
    }

    static List<Step> elements(List<Step> place) {
        return extended(place, ANY_POSITION);
    }

    private static List<Step> extended(List<Step> place, Step step) {
        var longer = new ArrayList<>(place);
        longer.add(step);
        return List.copyOf(longer);
    }

    /** Whether an item has no more than one value there. */
    static boolean isOne(List<Step> place) {
        return !place.isEmpty() && place.stream().allMatch(Step.Property.class::isInstance);
    }
}
