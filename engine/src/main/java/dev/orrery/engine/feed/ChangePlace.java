package dev.orrery.engine.feed;

import dev.orrery.engine.catalog.Range;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Up to where a reader has seen the changes of a container, as an entity tag: {@code "12"} is an LSN of one range,
 * {@code "3:12,4:7"} are LSNs of several, in the order in which they are to be read. A range that came from a split goes
 * on from the place in its parent.
 */
record ChangePlace(List<Reached> ranges) {
    private static final int ANY_RANGE = -1;

    /** No number of ours has more digits. */
    private static final int DIGITS_MAX = 18;

    /** After all that there is: what clients mean by a number near the largest of all. */
    static final long END = 999_999_999_999_999_999L;

    /** {@code range} is {@link #ANY_RANGE} where the tag does not name it. */
    record Reached(int range, long lsn) {}

    ChangePlace {
        ranges = List.copyOf(ranges);
    }

    static ChangePlace parse(String tag) {
        var text = tag.strip();
        if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
            text = text.substring(1, text.length() - 1);
        }
        var ranges = new ArrayList<Reached>();
        for (var part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            long range = colon < 0 ? ANY_RANGE : number(tag, part.substring(0, colon));
            if (range > Integer.MAX_VALUE) {
                throw refused(tag);
            }
            ranges.add(new Reached((int) range, number(tag, part.substring(colon + 1))));
        }
        if (ranges.size() > 1 && ranges.stream().anyMatch(reached -> reached.range == ANY_RANGE)) {
            throw refused(tag);
        }
        return new ChangePlace(ranges);
    }

    private static long number(String tag, String digits) {
        // A plus or minus would pass otherwise.
        if (digits.isEmpty()
                || digits.length() > DIGITS_MAX + 1
                || !digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            throw refused(tag);
        }
        return digits.length() > DIGITS_MAX ? END : Long.parseLong(digits);
    }

    private static FailureException refused(String tag) {
        return new FailureException(
                new Failure.BadRequest("The header If-None-Match must be the etag of an earlier answer of this change"
                        + " feed, or * for what changes from now on, not: " + tag));
    }

    String tag() {
        if (ranges.isEmpty()) {
            return "\"0\""; // Of a stretch of keys with nothing in it.
        }
        var text = ranges.size() == 1
                ? Long.toString(ranges.getFirst().lsn)
                : ranges.stream()
                        .map(reached -> reached.range + ":" + reached.lsn)
                        .collect(Collectors.joining(","));
        return '"' + text + '"';
    }

    /** The LSN up to which a range has been read; empty if the reader has not been in it. */
    Optional<Long> lsnOf(Range range) {
        var index = indexOf(range);
        return index.isPresent() ? Optional.of(ranges.get(index.getAsInt()).lsn) : Optional.empty();
    }

    /** Whose turn it is: ranges with a lower number come first. */
    int turnOf(Range range) {
        return indexOf(range).orElse(Integer.MAX_VALUE);
    }

    private OptionalInt indexOf(Range range) {
        for (int i = 0; i < ranges.size(); i++) {
            int id = ranges.get(i).range;
            if (id == ANY_RANGE || id == range.id() || range.parents().contains(id)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
