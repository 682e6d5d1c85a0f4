/** The change feed: how late, how fast, and how much it takes. Begin with {@link ChangesBench}. */
package dev.orrery.bench.changes;
