/**
 * Partition keys: their definition, their values, and their place on the line that physical partitions divide. Begin
 * with {@link PartitionKeyDefinition}.
 */
package dev.orrery.model.key;
