/**
 * The store that forgets: the reference for every other one, and what {@code --memory} serves. Begin with
 * {@link MemoryStore}.
 */
package dev.orrery.store.memory;
