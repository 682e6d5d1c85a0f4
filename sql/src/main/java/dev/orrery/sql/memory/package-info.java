/** What a running query has in memory. */
package dev.orrery.sql.memory;
