/** The store that forgets: the reference for every other one, and what {@code --memory} serves. */
package dev.orrery.store.memory;
