/** The contract asked of any storage engine, and its in-memory reference. */
package dev.orrery.store;
