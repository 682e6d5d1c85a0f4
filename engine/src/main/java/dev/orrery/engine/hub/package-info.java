/**
 * Several regions that all write: what each does with what it has written, and how the hub among them settles it. Begin with
 * {@link Fronts}.
 */
package dev.orrery.engine.hub;
