/** Partition keys: their definition, their values, and their place on the line that physical partitions divide. */
package dev.orrery.model.key;
