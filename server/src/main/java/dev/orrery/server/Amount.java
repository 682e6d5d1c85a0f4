package dev.orrery.server;

import java.util.Locale;

/** Numbers of things, as people write them. */
final class Amount {
    private Amount() {}

    static String of(long number, String thing) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? thing : thing + "s");
    }
}
