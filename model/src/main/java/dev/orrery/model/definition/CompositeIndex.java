package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.HashSet;
import java.util.List;

/** One index over several properties, each in its own direction. */
public record CompositeIndex(List<Part> parts) {
    private static final int PARTS_MIN = 2;

    public record Part(IndexPath path, Order order, Obj others) {}

    public enum Order implements Spelled {
        ASCENDING("ascending"),
        DESCENDING("descending");

        private final String spelling;

        Order(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public CompositeIndex {
        parts = List.copyOf(parts);
    }

    static CompositeIndex parse(String place, JsonValue json) {
        if (!(json instanceof Arr(List<JsonValue> items))) {
            throw MemberReader.refusalAt(place, "must be an array of paths.");
        }
        if (items.size() < PARTS_MIN || items.size() > Limits.COMPOSITE_INDEX_PROPERTIES_MAX) {
            throw MemberReader.refusalAt(
                    place,
                    "has " + items.size() + " paths, but a composite index has from " + PARTS_MIN + " to "
                            + Limits.COMPOSITE_INDEX_PROPERTIES_MAX + ".");
        }
        var parts = MemberReader.objects(place, items, CompositeIndex::parsePart);
        var seen = new HashSet<List<IndexPath.Step>>();
        for (var part : parts) {
            if (!seen.add(part.path().steps())) {
                throw MemberReader.refusalAt(
                        place, "names the path '" + part.path().text() + "' twice.");
            }
        }
        return new CompositeIndex(parts);
    }

    private static Part parsePart(MemberReader json) {
        var path = path(json);
        boolean single = path.ending() != Ending.SUBTREE
                && path.steps().stream().allMatch(IndexPath.Step.Property.class::isInstance);
        if (!single) {
            throw json.refusal(
                    "path",
                    "is '" + path.text()
                            + "', but a composite index takes single values: no *, no array and no tuple."
                            + PathProposal.single(path.text()));
        }
        return new Part(path, json.choice("order", Order.class).orElse(Order.ASCENDING), json.others());
    }

    private static IndexPath path(MemberReader json) {
        var text = json.requiredText("path");
        try {
            return IndexPath.parse(json.place("path"), text);
        } catch (FailureException refused) {
            throw new FailureException(new Failure.BadRequest(refused.getMessage() + PathProposal.single(text)));
        }
    }

    Arr toJson() {
        return new Arr(parts.stream().<JsonValue>map(CompositeIndex::toJson).toList());
    }

    private static Obj toJson(Part part) {
        return Obj.builder()
                .put("path", part.path().text())
                .put("order", part.order().spelling())
                .putAll(part.others())
                .build();
    }
}
