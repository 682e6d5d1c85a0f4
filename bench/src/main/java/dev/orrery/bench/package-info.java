/** Measurements, each a command of its own. Begin with {@link Main}. */
package dev.orrery.bench;
