/**
 * Shapes in GeoJSON, on a plane or on the globe: whether they are valid, how large they are, how far from each other, and
 * how they lie to each other.
 *
 * <p>Begin with {@link dev.orrery.sql.spatial.ShapeReader}: it reads positions from JSON; {@link dev.orrery.sql.spatial.FlatShape} and
 * {@link dev.orrery.sql.spatial.GlobeShape} make shapes of them. On the globe, two positions that follow each other are
 * joined by the shorter arc in which the plane through both of them and the centre of the earth cuts the WGS 84
 * ellipsoid. Seen from that centre such arcs are great circles, and projected from there onto a plane that touches the
 * globe they are straight lines: this is how JTS, which knows flat shapes only, can compare shapes on the globe without
 * an error, wherever the meridians are that separate the days.
 *
 * <p>{@link dev.orrery.sql.spatial.SpatialCells} is how an index finds shapes: it divides the surface into ever smaller
 * squares and says in which of them a shape is, and in which those are that a query asks for.
 */
package dev.orrery.sql.spatial;
