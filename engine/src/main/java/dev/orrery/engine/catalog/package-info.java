/**
 * What exists: databases, containers and their ranges, users, permissions, offers; held in memory, durable in the
 * account partition. Begin with {@link Catalog}.
 */
package dev.orrery.engine.catalog;
