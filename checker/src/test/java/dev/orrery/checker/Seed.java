package dev.orrery.checker;

import java.util.Random;

/** Randomness that can be had again. */
final class Seed {
    private Seed() {}

    /** Prints the seed first, so that a failure can be replayed. */
    static Random random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("-Dtest.seed=" + seed);
        return new Random(seed);
    }
}
