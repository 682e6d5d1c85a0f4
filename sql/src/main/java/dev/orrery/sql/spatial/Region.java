package dev.orrery.sql.spatial;

import java.util.List;

/** A part of the globe: what lies in a piece, or what is left of the globe without some pieces. */
sealed interface Region {
    record Inside(Piece piece) implements Region {}

    /** The globe without some polygons that do not overlap: the inverse of one of them, and the holes in that. */
    record Outside(List<Piece> gaps) implements Region {
        public Outside {
            gaps = List.copyOf(gaps);
        }
    }

    /** All lines and points at which the region ends. */
    default List<List<Direction>> lines() {
        return switch (this) {
            case Inside(Piece piece) -> piece.lines();
            case Outside(var gaps) ->
                gaps.stream().flatMap(gap -> gap.lines().stream()).toList();
        };
    }

    default boolean isArea() {
        return switch (this) {
            case Inside(Piece piece) -> piece.kind() == Piece.Kind.POLYGON;
            case Outside _ -> true;
        };
    }

    default double area() {
        return switch (this) {
            case Inside(Piece piece) -> isArea() ? piece.area() : 0;
            case Outside(var gaps) ->
                Ellipsoid.AREA - gaps.stream().mapToDouble(Piece::area).sum();
        };
    }

    default boolean intersects(Region other) {
        return switch (this) {
            case Inside(Piece piece) ->
                switch (other) {
                    case Inside(Piece that) -> Relation.INTERSECTS.holds(piece, that);
                    case Outside(var gaps) -> gaps.stream().noneMatch(gap -> Relation.INSIDE.holds(piece, gap));
                };
            case Outside _ ->
                switch (other) {
                    case Inside _ -> other.intersects(this);
                    // Each covers more than half of the globe.
                    case Outside _ -> true;
                };
        };
    }

    default boolean within(Region other) {
        return switch (this) {
            case Inside(Piece piece) ->
                switch (other) {
                    case Inside(Piece that) -> Relation.WITHIN.holds(piece, that);
                    case Outside(var gaps) -> gaps.stream().allMatch(gap -> Relation.APART.holds(piece, gap));
                };
            case Outside(var gaps) ->
                switch (other) {
                    case Inside _ -> false;
                    case Outside(var others) ->
                        others.stream()
                                .allMatch(that -> gaps.stream().anyMatch(gap -> Relation.COVERED_BY.holds(that, gap)));
                };
        };
    }

    /** Whether two regions have no more than parts of their edges in common. */
    default boolean isApartFrom(Region other) {
        return switch (this) {
            case Inside(Piece piece) ->
                switch (other) {
                    case Inside(Piece that) -> Relation.APART.holds(piece, that);
                    case Outside(var gaps) -> gaps.stream().anyMatch(gap -> Relation.COVERED_BY.holds(piece, gap));
                };
            case Outside _ ->
                switch (other) {
                    case Inside _ -> other.isApartFrom(this);
                    case Outside _ -> false;
                };
        };
    }
}
