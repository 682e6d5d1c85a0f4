package dev.orrery.engine.key;

/** Guards against reading bytes that a newer Orrery, or something else, wrote. */
final class Formats {
    private Formats() {}

    static void demand(String what, int expected, int found) {
        if (found != expected) {
            throw new IllegalStateException(
                    "A stored " + what + " has format " + found + ", this Orrery reads format " + expected);
        }
    }
}
