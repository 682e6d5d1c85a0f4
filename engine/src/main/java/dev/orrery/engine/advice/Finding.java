package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Location;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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
        /** A filter that no index could serve. */
        UNINDEXED_FILTER,
        /** A query asks for one item that a read by its id would give. */
        QUERY_BY_ID,
        GROWING_ARRAY,
        HOT_PARTITION;

        /** As programs read it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The same remedy for two queries is one. */
    boolean isOneWith(Finding other) {
        return kind == other.kind
                && location.equals(other.location)
                && title.equals(other.title)
                && proposal.equals(other.proposal);
    }

    Finding with(Finding other) {
        return new Finding(
                kind,
                location,
                title,
                Stream.concat(seen.stream(), other.seen.stream()).toList(),
                proposal,
                charge.with(other.charge));
    }

    /** With what it costs to keep it so. */
    Finding weighed() {
        return new Finding(kind, location, title, seen, proposal + charge.payback(), charge);
    }

    /**
     * What writes would have cost more since the server began to watch.
     *
     * @param writes how many there were
     */
    public record Upkeep(long writes, double charge) {
        static final Upkeep NONE = new Upkeep(0, 0);

        static Upkeep of(double perWrite, long writes) {
            return new Upkeep(writes, perWrite * writes);
        }

        double perWrite() {
            return writes == 0 ? 0 : charge / writes;
        }

        Upkeep times(double copies) {
            return new Upkeep(writes, charge * copies);
        }

        Upkeep plusForEach(double more) {
            return new Upkeep(writes, charge + writes * more);
        }
    }

    /**
     * What it would change.
     *
     * @param unit what the figures are for, such as "call"
     * @param count how many of these there were
     * @param before request units for one, as they were
     * @param after request units for one, as they would be
     * @param writing what it takes to keep it so
     */
    public record Charge(String unit, long count, double before, double after, Upkeep writing) {
        Charge(String unit, long count, double before, double after) {
            this(unit, count, before, after, Upkeep.NONE);
        }

        /** What has to be provided, which is not a charge: nothing is saved of what was. */
        static Charge ofThroughput(double before, double after) {
            return new Charge("1,000 RU/s of load", 0, before, after);
        }

        /** Request units that writes would have cost more since the server began to watch. */
        public double upkeep() {
            return writing.charge();
        }

        /** Of all that there were; less than nothing when that would have cost more than it saves. */
        public double saved() {
            return (before - after) * count - upkeep();
        }

        /** Of two that are helped by the same: it has to be kept once. */
        Charge with(Charge other) {
            long both = count + other.count;
            return both == 0
                    ? this
                    : new Charge(
                            unit,
                            both,
                            (before * count + other.before * other.count) / both,
                            (after * count + other.after * other.count) / both,
                            upkeep() < other.upkeep() ? other.writing : writing);
        }

        /** In words, how often that has to be used before it pays. */
        String payback() {
            return writing.writes() == 0 || before <= after
                    ? ""
                    : " Each write of such an item then costs about " + Subject.units(writing.perWrite())
                            + " more: that pays with more than "
                            + Subject.hundredths(writing.perWrite() / (before - after)) + " of these " + unit
                            + "s for each write; so far there were "
                            + Subject.hundredths((double) count / writing.writes()) + ".";
        }
    }
}
