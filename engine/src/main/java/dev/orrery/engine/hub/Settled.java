package dev.orrery.engine.hub;

import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.replica.RangeId;

/**
 * What the hub says of the writes of a region.
 *
 * @param upTo the last one that is settled
 * @param epoch of the settled copy
 * @param lsn whoever has the settled copy up to here has what became of them
 */
public record Settled(RangeId range, LogKey upTo, long epoch, long lsn) {}
