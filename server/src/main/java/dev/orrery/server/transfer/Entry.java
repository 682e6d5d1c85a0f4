package dev.orrery.server.transfer;

/** What stands at one place of a file. */
public sealed interface Entry {
    /** Where it begins, counted from 1. */
    long line();

    /** The text of what should be an item; not looked into yet. */
    @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
    record Text(long line, long column, byte[] json) implements Entry {}

    /**
     * Something that is no item, behind which reading can go on.
     *
     * @param column counted from 1, or 0 when it is the line as a whole that is wrong
     */
    record Malformed(long line, long column, String message) implements Entry {}
}
