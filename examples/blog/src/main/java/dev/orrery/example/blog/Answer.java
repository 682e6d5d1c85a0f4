package dev.orrery.example.blog;

/**
 * What a request gave, and what it took.
 *
 * @param charge request units of all its operations and pages
 * @param operations how often the database was asked; further pages of a query do not count
 * @param fansOut whether one of them had to ask all partitions of a container
 */
public record Answer<T>(T value, double charge, int operations, boolean fansOut) {
    /** Whether its cost is bounded, however much there is: one operation on one partition. */
    public boolean isLean() {
        return operations == 1 && !fansOut;
    }
}
