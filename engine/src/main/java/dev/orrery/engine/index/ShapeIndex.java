package dev.orrery.engine.index;

import dev.orrery.engine.key.IndexKey;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.SpatialIndex.BoundingBox;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.spatial.SpatialCells;
import dev.orrery.store.KeyRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An index of the shapes at a path, each kept under the cells that cover it. */
record ShapeIndex(IndexPath path, GeospatialConfig.Type surface, Optional<BoundingBox> box) {

    /** Those of a policy; one of certain positions of an array only would serve no query. */
    static List<ShapeIndex> of(ContainerDefinition definition) {
        return definition.indexingPolicy().spatial().stream()
                .filter(index -> index.path().steps().stream().noneMatch(Step.Position.class::isInstance))
                .map(index -> new ShapeIndex(
                        index.path(), definition.geospatialConfig().type(), index.boundingBox()))
                .toList();
    }

    boolean covers(List<Step> place) {
        return path.covers(place);
    }

    private SpatialCells cells() {
        return SpatialCells.of(surface, box);
    }

    /** The number of the index of one place; one that is cut into cells in another way has another number. */
    private long number(long place) {
        long corners = box.map(some -> Place.sequence(
                        Double.doubleToLongBits(some.xMin()),
                        Double.doubleToLongBits(some.yMin()),
                        Double.doubleToLongBits(some.xMax()),
                        Double.doubleToLongBits(some.yMax())))
                .orElse(0L);
        return Place.sequence(place, Place.of(path.steps()), path.ending() == Ending.SUBTREE ? 1 : 0, corners);
    }

    // ---- entries ----

    /** The keys of the entries of an item. */
    void addEntries(Obj item, long document, Consumer<byte[]> entries) {
        new Walk(cells(), document, entries).along(item, Place.ROOT, path.steps());
    }

    private final class Walk {
        private final SpatialCells cells;
        private final long document;
        private final Consumer<byte[]> entries;

        Walk(SpatialCells cells, long document, Consumer<byte[]> entries) {
            this.cells = cells;
            this.document = document;
            this.entries = entries;
        }

        void along(JsonValue value, long place, List<Step> way) {
            if (way.isEmpty()) {
                here(value, place);
                return;
            }
            var rest = way.subList(1, way.size());
            switch (way.getFirst()) {
                case Step.Property(var name) -> {
                    if (value instanceof Obj object && !object.member(name).isUndefined()) {
                        along(object.member(name), Place.property(place, name), rest);
                    }
                }
                case Step.AnyPosition _ -> {
                    if (value instanceof Arr(var elements)) {
                        elements.forEach(element -> along(element, Place.elements(place), rest));
                    }
                }
                case Step.Position _, Step.Tuple _ -> throw new IllegalStateException("Not a path to shapes: " + path);
            }
        }

        private void here(JsonValue value, long place) {
            if (value instanceof Obj shape && !shape.member("coordinates").isUndefined()) {
                long number = number(place);
                cells.cover(shape).forEach(cell -> entries.accept(IndexKey.cell(number, cell.number(), document)));
            }
            if (path.ending() == Ending.SUBTREE) {
                below(value, place);
            }
        }

        private void below(JsonValue value, long place) {
            switch (value) {
                case Obj object ->
                    object.members().forEach((name, member) -> here(member, Place.property(place, name)));
                case Arr(var elements) -> elements.forEach(element -> here(element, Place.elements(place)));
                case JsonValue.Null _, JsonValue.Bool _, JsonValue.Num _, JsonValue.Str _, JsonValue.Undefined _ -> {}
            }
        }
    }

    // ---- search ----

    /** Where the entries of all shapes are that satisfy a condition. */
    List<KeyRange> targets(Condition.Near near) {
        long number = number(Place.of(near.place()));
        return cells().search(near.shape(), near.distanceMax()).stream()
                .map(span -> IndexKey.cells(number, span.first(), span.last()))
                .toList();
    }
}
