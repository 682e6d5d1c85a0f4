package dev.orrery.store;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** The one number a random test depends on: printed before the test, and given back with {@code -Dtest.seed=}. */
public final class Seed {

    private Seed() {}

    public static SplittableRandom random() {
        long seed = Long.getLong("test.seed", ThreadLocalRandom.current().nextLong());
        System.out.println("-Dtest.seed=" + seed);
        return new SplittableRandom(seed);
    }
}
