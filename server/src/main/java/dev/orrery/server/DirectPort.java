package dev.orrery.server;

import java.util.Locale;
import java.util.Optional;

/** Where Direct mode is served. */
sealed interface DirectPort {
    record Off() implements DirectPort {}

    /** The first free one after the port of http and https; any free one where that may be any. */
    record NextFree() implements DirectPort {}

    record Fixed(int port) implements DirectPort {}

    static DirectPort parse(Optional<String> text) {
        if (text.isEmpty()) {
            return new NextFree();
        }
        if (text.get().toLowerCase(Locale.ROOT).equals("off")) {
            return new Off();
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= 0 && number <= 65_535) {
                return new Fixed(number);
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too large.
        }
        throw new UserError("The port of Direct mode must be from 0 to 65535, or off, not '" + text.get() + "'.");
    }
}
