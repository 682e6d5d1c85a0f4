/** Readers of the change feed lose nothing and keep the order of each logical partition, whatever dies or splits. */
package dev.orrery.conformance.changes;
