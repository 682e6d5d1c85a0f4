package dev.orrery.engine.key;

/**
 * Where a settled change was written first.
 *
 * @param slot the region, as {@link WriterSlot} counts them
 * @param place of the write in that region's own log
 */
public record Origin(int slot, LogKey place) {}
