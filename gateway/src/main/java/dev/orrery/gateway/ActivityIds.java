package dev.orrery.gateway;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Gives every request the id by which client and server can speak of it: the client's own, or a new one. */
final class ActivityIds {
    private static final int LENGTH = 36;

    /** Spreads successive numbers over all bits; odd, so that it runs through all of them before it repeats. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final long high;
    private final long low;
    private final AtomicLong number = new AtomicLong();

    ActivityIds(RandomGenerator random) {
        this.high = random.nextLong();
        this.low = random.nextLong();
    }

    /** The id that the client gave if it is one, so that nothing else gets into headers and logs. */
    String idFor(String given) {
        return isUuid(given) ? given : fresh();
    }

    /**
     * A UUID of the random kind (version 4). It must be unique but need not be a secret: a scrambled counter is, and
     * costs less than a source of randomness that threads have to share.
     */
    private String fresh() {
        long next = number.getAndAdd(STEP);
        return new UUID(
                        (scrambled(high + next) & ~0xf000L) | 0x4000L,
                        (scrambled(low + next) & ~(0b11L << 62)) | (0b10L << 62))
                .toString();
    }

    /** The finishing steps of SplitMix64, which map every number to another one. */
    private static long scrambled(long value) {
        long once = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
        return twice ^ (twice >>> 31);
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
