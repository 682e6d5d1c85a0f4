/**
 * Physical partitions: the lane in which the writes of a range happen one after another, and the commit that ends each
 * group. Begin with {@link Lane}.
 */
package dev.orrery.engine.partition;
