package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Location;
import java.util.List;
import java.util.Locale;

/**
 * One piece of advice.
 *
 * @param title what is the matter, in one sentence
 * @param seen the figures that show it
 * @param proposal what to do about it
 */
public record Finding(Kind kind, Location location, String title, List<String> seen, String proposal, Charge charge) {

    public Finding {
        seen = List.copyOf(seen);
    }

    public enum Kind {
        /** A query asks many physical partitions, and one would do under another key. */
        FAN_OUT,
        /** A query gathers the first of all items in an order. */
        GATHERED_LIST,
        /** Something is counted, or summed up, again and again. */
        REPEATED_COUNT,
        /** What a property refers to is read one by one. */
        REPEATED_LOOKUP,
        MISSING_INDEX,
        UNUSED_INDEX,
        /** A query asks for one item that a read by its id would give. */
        QUERY_BY_ID,
        GROWING_ARRAY,
        HOT_PARTITION;

        /** As programs read it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What it would change.
     *
     * @param unit what the figures are for, such as "call"
     * @param count how many of these there were
     * @param before request units for one, as they were
     * @param after request units for one, as they would be
     * @param upkeep request units that writes would have cost more since the server began to watch
     */
    public record Charge(String unit, long count, double before, double after, double upkeep) {
        Charge(String unit, long count, double before, double after) {
            this(unit, count, before, after, 0);
        }

        /** What has to be provided, which is not a charge: nothing is saved of what was. */
        static Charge ofThroughput(double before, double after) {
            return new Charge("1,000 RU/s of load", 0, before, after);
        }

        /** Of all that there were; less than nothing when that would have cost more than it saves. */
        public double saved() {
            return (before - after) * count - upkeep;
        }
    }
}
