/** Throughput that a server enforces, as clients meet it. */
package dev.orrery.conformance.throughput;
