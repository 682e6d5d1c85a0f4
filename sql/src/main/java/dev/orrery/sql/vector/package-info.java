/**
 * Vectors: how near two of them are, and how an index keeps them small and finds the nearest.
 *
 * <p>Begin with {@link dev.orrery.sql.vector.VectorForm}: it writes a vector as bytes, which may round it.
 * {@link dev.orrery.sql.vector.VectorProbe} compares such bytes with the vector of a query, and says how wrong the result
 * can be. {@link dev.orrery.sql.vector.NearestCandidates} keeps those that may be among the nearest; when the query then
 * compares their items in full, the answer is the same as if it had compared all.
 */
package dev.orrery.sql.vector;
