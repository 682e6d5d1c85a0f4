/** Everything that makes it a document database. */
package dev.orrery.engine;
