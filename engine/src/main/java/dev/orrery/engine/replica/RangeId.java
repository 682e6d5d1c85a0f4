package dev.orrery.engine.replica;

/** A range of some container, the same in all copies. */
public record RangeId(int container, int range) {}
