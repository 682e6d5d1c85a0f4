/** The contract asked of any storage engine, and its in-memory reference. Begin with {@link Store}. */
package dev.orrery.store;
