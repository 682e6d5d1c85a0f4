/** What a running query has in memory. Begin with {@link Workspace}. */
package dev.orrery.sql.memory;
