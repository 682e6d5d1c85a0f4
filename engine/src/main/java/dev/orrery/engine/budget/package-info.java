/** What requests cost. Begin with {@link Budget}. */
package dev.orrery.engine.budget;
