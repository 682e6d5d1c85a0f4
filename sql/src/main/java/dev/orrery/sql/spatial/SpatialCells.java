package dev.orrery.sql.spatial;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.definition.SpatialIndex.BoundingBox;
import dev.orrery.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Under which cells an index keeps a shape, and among which cells it finds the shapes that a query may ask for.
 *
 * <p>Whenever two shapes meet, or are within a distance, one of the cells of the first is in one of the spans for the
 * second. The reverse does not hold: what is found must still be compared.
 */
public final class SpatialCells {
    private static final int SEARCH_CELLS = 16;
    private static final int LEVELS_LESS = 4;

    private final GeospatialConfig.Type surface;
    private final Tiling tiling;

    private SpatialCells(GeospatialConfig.Type surface, Tiling tiling) {
        this.surface = surface;
        this.tiling = tiling;
    }

    /**
     * The cells of a container.
     *
     * @param box where shapes are mostly, on a plane; also those elsewhere are found
     */
    public static SpatialCells of(GeospatialConfig.Type surface, Optional<BoundingBox> box) {
        return new SpatialCells(
                surface,
                switch (surface) {
                    case GEOGRAPHY -> new GlobeTiling();
                    case GEOMETRY -> new PlaneTiling(box.orElseThrow());
                });
    }

    /** A few cells in which all of a shape is; none when a value is not a valid shape. */
    public List<Cell> cover(JsonValue shape) {
        return outline(shape).map(this::cover).orElse(List.of());
    }

    private List<Cell> cover(Outline outline) {
        return outline.isPoint()
                ? List.of(tiling.cellOf(outline.edges().getFirst().from()))
                : new CellCover(tiling, outline, tiling.touch(outline)).cells(Limits.SHAPE_CELLS_MAX, Cell.LEVEL_MAX);
    }

    /** Where all shapes are that meet another one, lie in it or have it in them. */
    public List<CellSpan> search(JsonValue shape) {
        return search(shape, 0);
    }

    /** Where all shapes are that are not farther from another one than a distance, in metres on the globe. */
    public List<CellSpan> search(JsonValue shape, double distanceMax) {
        return distanceMax < 0
                ? List.of()
                : outline(shape).map(outline -> search(outline, distanceMax)).orElse(List.of());
    }

    private Optional<Outline> outline(JsonValue json) {
        try {
            return Optional.of(tiling.outline(ShapeReader.read(json, surface)));
        } catch (InvalidShapeException _) {
            return Optional.empty(); // then no function says anything about it
        }
    }

    private List<CellSpan> search(Outline outline, double distance) {
        var cover = new CellCover(tiling, outline, tiling.reach(outline, distance));
        var cells = SEARCH_CELLS;
        var levelMax = Cell.LEVEL_MAX;
        var spans = spans(cover.cells(cells, levelMax));
        while (spans.size() > Limits.SHAPE_SEARCH_SPANS_MAX) {
            // Few cells may still be within many different larger ones; then only larger cells help.
            levelMax = cells > 1 ? levelMax : levelMax - LEVELS_LESS;
            cells = Math.max(1, cells / 2);
            spans = spans(cover.cells(cells, levelMax));
        }
        return spans;
    }

    /** All cells that have something in common with some others: these, those within them, and those around them. */
    private static List<CellSpan> spans(List<Cell> cells) {
        var around = new LinkedHashSet<Cell>();
        var spans = new ArrayList<CellSpan>();
        for (var cell : cells) {
            spans.add(cell.span());
            for (var larger = cell; larger.level() > 0 && around.add(larger.parent()); larger = larger.parent()) {
                var number = larger.parent().number();
                spans.add(new CellSpan(number, number));
            }
        }
        spans.sort(Comparator.comparingLong(CellSpan::first));
        return joined(spans);
    }

    /** Makes one of spans with nothing but a single number between them. */
    private static List<CellSpan> joined(List<CellSpan> spans) {
        var joined = new ArrayList<CellSpan>();
        for (var span : spans) {
            if (!joined.isEmpty() && span.first() - joined.getLast().last() <= 2) {
                var before = joined.removeLast();
                joined.add(new CellSpan(before.first(), Math.max(before.last(), span.last())));
            } else {
                joined.add(span);
            }
        }
        return joined;
    }
}
