package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Location;
import java.util.List;

/**
 * What clients asked of a container.
 *
 * @param requests how many reads, writes and queries
 * @param charge what they cost, in request units
 * @param queries those that cost the most first
 */
public record ContainerUse(Location location, long requests, double charge, List<QueryUse> queries) {
    public ContainerUse {
        queries = List.copyOf(queries);
    }

    /**
     * All queries of one shape; what a call of them took is an average.
     *
     * @param text with {@code ?} for values
     * @param keyed whether it names the partition keys that it is about
     * @param charge of a call, in request units
     * @param partitions how many physical partitions a call asked
     * @param itemsLoaded how many items a call read
     * @param rows how many rows a call gave
     */
    public record QueryUse(
            String text,
            boolean keyed,
            long calls,
            double charge,
            double partitions,
            double itemsLoaded,
            double rows) {}
}
