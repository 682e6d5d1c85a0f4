package dev.orrery.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * How far a session has seen the ranges of a container: {@code range:version#lsn}, with {@code #region=lsn} for each
 * region when several accept writes, and commas between ranges.
 */
public record SessionToken(List<Part> parts) {
    /** The version of tokens of an account that one region writes to. */
    private static final long SINGLE_WRITER = -1;

    /** How far one range was seen; not every id that clients know is one of ours. */
    public record Part(String rangeId, long version, long lsn, SortedMap<Integer, Long> regionLsns) {
        public Part {
            regionLsns = Collections.unmodifiableSortedMap(new TreeMap<>(regionLsns));
        }

        private boolean isOf(int id) {
            return rangeId.equals(Integer.toString(id));
        }

        @Override
        public String toString() {
            var regions = new StringBuilder();
            regionLsns.forEach((region, seen) ->
                    regions.append('#').append(region).append('=').append(seen));
            return rangeId + ":" + version + "#" + lsn + regions;
        }
    }

    public SessionToken {
        parts = List.copyOf(parts);
    }

    /** The token of one range in an account that one region writes to. */
    public static SessionToken of(int rangeId, long lsn) {
        return new SessionToken(List.of(new Part(Integer.toString(rangeId), SINGLE_WRITER, lsn, new TreeMap<>())));
    }

    /** What {@code of(rangeId, lsn).toString()} gives: every reply about an item carries one. */
    public static String text(int rangeId, long lsn) {
        return text(rangeId, SINGLE_WRITER, lsn);
    }

    /** The same, in an account of which one region after another takes the writes. */
    public static String text(int rangeId, long epoch, long lsn) {
        return rangeId + ":" + epoch + "#" + lsn;
    }

    public static SessionToken parse(String text) {
        try {
            var parts = new ArrayList<Part>();
            for (var part : text.split(",", -1)) {
                if (!part.isBlank()) { // Some clients put a comma behind the last one, too.
                    parts.add(part(part.strip()));
                }
            }
            if (parts.isEmpty()) {
                throw new NumberFormatException("no part");
            }
            return new SessionToken(parts);
        } catch (NumberFormatException _) {
            throw new FailureException(new Failure.BadRequest("The session token '" + text + "' is malformed."));
        }
    }

    private static Part part(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new NumberFormatException("no range");
        }
        var rangeId = text.substring(0, colon);
        var numbers = text.substring(colon + 1).split("#", -1);
        if (numbers.length == 1) { // an old form, still in the hands of someone who kept a token
            return new Part(rangeId, SINGLE_WRITER, Long.parseLong(numbers[0]), new TreeMap<>());
        }
        var regionLsns = new TreeMap<Integer, Long>();
        for (int i = 2; i < numbers.length; i++) {
            int equals = numbers[i].indexOf('=');
            if (equals < 0) {
                throw new NumberFormatException("no region");
            }
            regionLsns.put(
                    Integer.parseInt(numbers[i].substring(0, equals)),
                    Long.parseLong(numbers[i].substring(equals + 1)));
        }
        return new Part(rangeId, Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), regionLsns);
    }

    /**
     * How far a range must have come to serve the session, 0 when the session has not seen it. A range goes on counting
     * where its ancestors stopped, so what was seen of them counts as well.
     */
    public long lsnFor(int rangeId, List<Integer> ancestors) {
        return lsnFor(rangeId, ancestors, epoch -> Long.MAX_VALUE);
    }

    /**
     * The same, where other regions have taken over the writes.
     *
     * @param lastLsns the last LSN of an epoch that was not lost when the next one began
     */
    public long lsnFor(int rangeId, List<Integer> ancestors, LongUnaryOperator lastLsns) {
        long lsn = 0;
        for (var part : parts) {
            if (part.isOf(rangeId) || ancestors.stream().anyMatch(part::isOf)) {
                lsn = Math.max(lsn, Math.min(part.lsn, lastLsns.applyAsLong(part.version)));
            }
        }
        return lsn;
    }

    /** What the session has seen of a range or of its ancestors. */
    public List<Part> partsOf(int rangeId, List<Integer> ancestors) {
        return parts.stream()
                .filter(part -> part.isOf(rangeId) || ancestors.stream().anyMatch(part::isOf))
                .toList();
    }

    /** The form that clients see. */
    @Override
    public String toString() {
        return parts.stream().map(Part::toString).collect(Collectors.joining(","));
    }
}
