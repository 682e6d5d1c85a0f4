package dev.orrery.sql.spatial;

import dev.orrery.sql.spatial.Outline.Edge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds cells that together cover a shape and what is near it: the smallest of which not too many are needed. */
final class CellCover {
    /** A cell that touches the shape or comes near it, and the edges to which it does. */
    private record Candidate(Cell cell, List<Edge> edges) {
        boolean isInside() {
            return edges.isEmpty();
        }
    }

    private final Tiling tiling;
    private final Outline outline;
    private final double reach;

    CellCover(Tiling tiling, Outline outline, double reach) {
        this.tiling = tiling;
        this.outline = outline;
        this.reach = reach;
    }

    /** The cells; more than wanted only when the shape touches more of the squares that make up the surface. */
    List<Cell> cells(int wanted, int levelMax) {
        var cells = new ArrayList<Cell>();
        // Candidates of one level come before those of the next, so that the largest are divided first.
        var open = new ArrayDeque<Candidate>();
        for (var root = 0; root < tiling.roots(); root++) {
            look(Cell.ofRoot(root), outline.edges()).ifPresent(open::add);
        }
        while (!open.isEmpty()) {
            var candidate = open.remove();
            if (candidate.isInside() || candidate.cell().level() == levelMax) {
                cells.add(candidate.cell());
                continue;
            }
            var quarters = quarters(candidate);
            if (quarters.size() <= 1 || cells.size() + open.size() + quarters.size() <= wanted) {
                open.addAll(quarters);
            } else {
                cells.add(candidate.cell());
            }
        }
        return cells;
    }

    private List<Candidate> quarters(Candidate candidate) {
        var quarters = new ArrayList<Candidate>();
        for (var cell : candidate.cell().quarters()) {
            look(cell, candidate.edges()).ifPresent(quarters::add);
        }
        return quarters;
    }

    /** Looks at a cell that no other edges than these can be near. */
    private Optional<Candidate> look(Cell cell, List<Edge> edges) {
        var tile = tiling.tile(cell);
        var near = new ArrayList<Edge>();
        for (var edge : edges) {
            if (!tile.isFartherThan(reach, edge)) {
                near.add(edge);
            }
        }
        // With no edge around, all of the cell is in the shape or nothing of it.
        return near.isEmpty() && !outline.inside().test(tile.centre())
                ? Optional.empty()
                : Optional.of(new Candidate(cell, near));
    }
}
