package dev.orrery.server.transfer;

/** How the items of a file are written. */
public enum Format {
    /** A JSON object on each line. */
    NDJSON,
    /** One JSON array of objects. */
    JSON,
    /** A table whose first line names the columns. */
    CSV
}
