/** How much memory requests may take together. Begin with {@link MemoryBudget}. */
package dev.orrery.model.memory;
