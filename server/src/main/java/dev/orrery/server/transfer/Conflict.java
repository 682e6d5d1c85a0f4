package dev.orrery.server.transfer;

/** What happens to an item whose id is taken already. */
public enum Conflict {
    FAIL,
    SKIP,
    REPLACE
}
