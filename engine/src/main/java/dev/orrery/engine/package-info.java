/** Everything that makes it a document database. Begin with {@link LocalDatabase}. */
package dev.orrery.engine;
