/** How much memory requests may take together. */
package dev.orrery.model.memory;
