/** Micro-benchmarks and side-by-side load scenarios. */
package dev.orrery.bench;
