package dev.orrery.sql;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The one source of randomness in tests, which says how to repeat it before anything can fail. */
public final class Seed {
    private Seed() {}

    public static RandomGenerator random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("-Dtest.seed=" + seed);
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
