package dev.orrery.server;

import java.util.Locale;

/** Numbers of things, as people write them. */
final class Amount {
    private static final long BYTES_SMALL = 10_000_000;

    private Amount() {}

    static String of(long number, String thing) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? thing : thing + "s");
    }

    static String ofBytes(long bytes) {
        return bytes < BYTES_SMALL
                ? String.format(Locale.ROOT, "%,d KB", (bytes + 999) / 1000)
                : String.format(Locale.ROOT, "%,d MB", bytes / 1_000_000);
    }
}
