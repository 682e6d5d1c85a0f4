/** One copy of the data among several: what it tells the others, and how it follows one of them. Begin with {@link Replica}. */
package dev.orrery.engine.replica;
