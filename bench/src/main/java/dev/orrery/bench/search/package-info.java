/** Searches for shapes, words and vectors, with an index and without. Begin with {@link SearchBench}. */
package dev.orrery.bench.search;
