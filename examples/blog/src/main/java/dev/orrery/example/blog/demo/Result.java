package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Version;
import java.util.Comparator;
import java.util.List;

/**
 * All that a run has found out.
 *
 * @param calls how often each request was measured
 * @param postsUnits the throughput of each {@code posts}, which decides on its physical partitions
 * @param load of all versions, through the bulk path
 * @param compared how many answers were the same in all versions; 0 if there was only one
 */
record Result(
        int users,
        int calls,
        int postsUnits,
        Amount load,
        ViewsMade views,
        List<Renaming> renamings,
        Listed listed,
        int compared,
        List<Row> rows) {
    Result {
        renamings = List.copyOf(renamings);
        // In the order of the scenario, whatever was measured first.
        rows = rows.stream()
                .sorted(Comparator.comparing(Row::request).thenComparing(Row::version))
                .toList();
    }

    /** So many items in so much time. */
    record Amount(long items, double seconds) {
        double rate() {
            return items / seconds;
        }
    }

    /** How the views of V3 came about. */
    record ViewsMade(Views by, Amount amount) {}

    /**
     * How long a new name took to reach all copies.
     *
     * @param copies in posts, comments and likes, not in the views of V3, which follow these
     */
    record Renaming(Version version, long copies, double seconds) {}

    /** How many comments the posts of Q4 have, and how many likes those of Q5, on average. */
    record Listed(double comments, double likes) {}

    int partitions() {
        return Math.ceilDiv(postsUnits, 6_000);
    }
}
