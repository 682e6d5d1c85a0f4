package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.run.FixedValues;
import java.util.List;
import java.util.Optional;

/** Finds out what a query demands of shapes and texts, in words that their indexes understand. */
final class SearchConditions {
    private final FixedValues fixed;
    private final ItemPlaces places;

    SearchConditions(FixedValues fixed, ItemPlaces places) {
        this.fixed = fixed;
        this.places = places;
    }

    /** What holds when a call gives true. */
    Condition isTrue(Bound.Call call) {
        return switch (call.function().name()) {
            case "ST_WITHIN", "ST_INTERSECTS" -> near(call.arguments(), 0);
            case "FULLTEXTCONTAINS", "FULLTEXTCONTAINSALL" -> words(call.arguments(), true);
            case "FULLTEXTCONTAINSANY" -> words(call.arguments(), false);
            default -> Condition.ANYTHING;
        };
    }

    /** What holds when a call gives a number that is not above another. */
    Condition isAtMost(Bound.Call call, double most) {
        return call.function().name().equals("ST_DISTANCE") ? near(call.arguments(), most) : Condition.ANYTHING;
    }

    private Condition near(List<Bound> arguments, double distanceMax) {
        return near(arguments.get(0), arguments.get(1), distanceMax)
                .or(() -> near(arguments.get(1), arguments.get(0), distanceMax))
                .orElse(Condition.ANYTHING);
    }

    private Optional<Condition> near(Bound target, Bound other, double distanceMax) {
        return places.of(target)
                .filter(place -> !place.isEmpty())
                .flatMap(place -> fixed.of(other).map(shape -> new Condition.Near(place, shape, distanceMax)));
    }

    private Condition words(List<Bound> arguments, boolean all) {
        var terms = arguments.stream().skip(1).map(fixed::of).toList();
        var place = places.of(arguments.getFirst()).filter(ItemPlaces::isOne);
        return place.isPresent() && terms.stream().allMatch(Optional::isPresent)
                ? new Condition.Words(
                        place.get(),
                        terms.stream().<JsonValue>map(Optional::orElseThrow).toList(),
                        all)
                : Condition.ANYTHING;
    }
}
