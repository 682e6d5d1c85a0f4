package dev.orrery.gateway;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Gives every request the id by which client and server can speak of it: the client's own, or a new one. */
final class ActivityIds {
    private static final int LENGTH = 36;

    private final RandomGenerator random;

    ActivityIds(RandomGenerator random) {
        this.random = random;
    }

    /** The id that the client gave if it is one, so that nothing else gets into headers and logs. */
    String idFor(String given) {
        return isUuid(given) ? given : fresh();
    }

    /** A random UUID (version 4). It must be unique but need not be a secret. */
    private String fresh() {
        long high;
        long low;
        synchronized (random) {
            high = random.nextLong();
            low = random.nextLong();
        }
        return new UUID((high & ~0xf000L) | 0x4000L, (low & ~(0b11L << 62)) | (0b10L << 62)).toString();
    }

    private static boolean isUuid(String text) {
        if (text.length() != LENGTH) {
            return false;
        }
        for (int at = 0; at < LENGTH; at++) {
            char character = text.charAt(at);
            boolean dash = at == 8 || at == 13 || at == 18 || at == 23;
            boolean hex = character < 0x80 && Character.digit(character, 16) >= 0;
            if (dash ? character != '-' : !hex) {
                return false;
            }
        }
        return true;
    }
}
