package dev.orrery.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a client has seen of some ranges of a container: {@code range:version#lsn}, with {@code #region=lsn} for each
 * region in accounts that write in several, and with commas between ranges.
 */
public record SessionToken(List<Part> parts) {
    /** Accounts with one write region say this instead of a version. */
    private static final int NO_VERSION = -1;

    /** What was seen of one range. */
    public record Part(String rangeId, long version, long lsn) {
        @Override
        public String toString() {
            return rangeId + ":" + version + "#" + lsn;
        }
    }

    public SessionToken {
        parts = List.copyOf(parts);
    }

    public static SessionToken of(int rangeId, long lsn) {
        return new SessionToken(List.of(new Part(Integer.toString(rangeId), NO_VERSION, lsn)));
    }

    public static SessionToken parse(String text) {
        var parts = new ArrayList<Part>();
        for (var part : text.split(",", -1)) {
            parts.add(parsePart(part.strip()));
        }
        return new SessionToken(parts);
    }

    private static Part parsePart(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw malformed(text);
        }
        var segments = text.substring(colon + 1).split("#", -1);
        try {
            // Very old clients write the number alone.
            return segments.length == 1
                    ? new Part(text.substring(0, colon), NO_VERSION, Long.parseLong(segments[0]))
                    : new Part(text.substring(0, colon), Long.parseLong(segments[0]), Long.parseLong(segments[1]));
        } catch (NumberFormatException notANumber) {
            throw malformed(text);
        }
    }

    private static FailureException malformed(String text) {
        return new FailureException(new Failure.BadRequest(
                "The session token '" + text + "' is malformed; it looks like 0:-1#12, with commas between several."));
    }

    /** The LSN seen of a range, or of one that it came from by splits; 0 when the token knows none of them. */
    public long lsnFor(int rangeId, List<Integer> parents) {
        long seen = 0;
        for (var part : parts) {
            if (part.rangeId().equals(Integer.toString(rangeId))) {
                return part.lsn();
            }
            if (parents.stream().anyMatch(parent -> part.rangeId().equals(Integer.toString(parent)))) {
                seen = Math.max(seen, part.lsn());
            }
        }
        return seen;
    }

    /** The form of the header. */
    @Override
    public String toString() {
        return String.join(",", parts.stream().map(Part::toString).toList());
    }
}
