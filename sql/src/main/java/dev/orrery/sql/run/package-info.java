/**
 * Runs a bound query: items go in one by one, rows come out. Begin with {@link QueryRun}; {@link Pipeline} is the way
 * of an item.
 */
package dev.orrery.sql.run;
