/**
 * What clients can do with the resources that describe, and what follows for partitions when they change. Begin with
 * {@link Resources}.
 */
package dev.orrery.engine.resource;
