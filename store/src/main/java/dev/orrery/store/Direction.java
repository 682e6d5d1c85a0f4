package dev.orrery.store;

/** Which way a scan goes through its range. */
public enum Direction {
    FORWARD,
    BACKWARD
}
