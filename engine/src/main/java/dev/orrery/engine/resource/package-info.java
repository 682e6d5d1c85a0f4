/** What clients can do with the resources that describe, and what follows for partitions when they change. */
package dev.orrery.engine.resource;
