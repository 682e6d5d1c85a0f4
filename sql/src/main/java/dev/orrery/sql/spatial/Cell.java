package dev.orrery.sql.spatial;

import java.util.List;

/**
 * A square of a surface, or a quarter of a larger one: level 0 is the whole square, and every level halves its sides.
 *
 * <p>As a number a cell is {@code root:3 | for each level one bit of y and one of x | 1 | 0..}, 62 bits in all. The numbers
 * of all cells within a cell lie in one span around its own, so an index sorted by them finds these with one scan.
 *
 * @param root which of the squares that make up the surface
 * @param x the column, of as many as two to the power of the level
 * @param y the row
 */
public record Cell(int root, int level, int x, int y) {
    /** At this level a cell is some two centimetres wide on the globe. */
    static final int LEVEL_MAX = 29;

    static Cell ofRoot(int root) {
        return new Cell(root, 0, 0, 0);
    }

    /** The number by which an index sorts cells. It is positive, so that it sorts like its bytes do, the highest first. */
    public long number() {
        var bitsBelow = 2 * (LEVEL_MAX - level);
        var path = ((long) root << (2 * level)) | interleave(x) | (interleave(y) << 1);
        return (2 * path + 1) << bitsBelow;
    }

    /** The numbers of this cell and of all cells within it. */
    CellSpan span() {
        var number = number();
        var half = Long.lowestOneBit(number) - 1;
        return new CellSpan(number - half, number + half);
    }

    /** The cell of which this is a quarter; there is none at level 0. */
    Cell parent() {
        return new Cell(root, level - 1, x >> 1, y >> 1);
    }

    List<Cell> quarters() {
        return List.of(
                new Cell(root, level + 1, 2 * x, 2 * y),
                new Cell(root, level + 1, 2 * x + 1, 2 * y),
                new Cell(root, level + 1, 2 * x, 2 * y + 1),
                new Cell(root, level + 1, 2 * x + 1, 2 * y + 1));
    }

    /** Puts a 0 before every bit. */
    private static long interleave(int value) {
        var bits = (long) value;
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFFL;
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FFL;
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0FL;
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333L;
        return (bits | bits << 1) & 0x5555_5555_5555_5555L;
    }
}
