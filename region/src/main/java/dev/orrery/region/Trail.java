package dev.orrery.region;

import dev.orrery.engine.replica.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** How far all ranges were at some moments of the past, to tell for how long a region has lacked something. */
final class Trail {
    private static final int MARKS_MAX = 600;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanos;
    private final List<Mark> marks = new ArrayList<>();

    private record Mark(long nanos, Map<RangeId, Long> lsns) {
        Mark {
            lsns = Map.copyOf(lsns);
        }

        boolean isReached(ToLongFunction<RangeId> position, Predicate<RangeId> isThere) {
            return lsns.entrySet().stream()
                    .allMatch(mark ->
                            position.applyAsLong(mark.getKey()) >= mark.getValue() || !isThere.test(mark.getKey()));
        }
    }

    Trail(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes where the ranges are now, if they have moved. */
    synchronized void note(Map<RangeId, Long> lsns) {
        if (!marks.isEmpty() && marks.getLast().lsns().equals(lsns)) {
            return;
        }
        marks.add(new Mark(nanos.getAsLong(), lsns));
        if (marks.size() > MARKS_MAX) {
            thin();
        }
    }

    /** What is long ago need not be known to the tenth of a second. */
    private void thin() {
        for (int place = marks.size() / 2; place > 0; place -= 2) {
            marks.remove(place);
        }
    }

    /**
     * For how many seconds someone has lacked a change, 0 when it lacks none that is noted.
     *
     * @param position how far it has come with a range
     * @param isThere whether a range still is: what was split or deleted is lacked by nobody
     */
    synchronized double secondsBehind(ToLongFunction<RangeId> position, Predicate<RangeId> isThere) {
        for (var mark : marks) {
            if (!mark.isReached(position, isThere)) {
                return (nanos.getAsLong() - mark.nanos()) / NANOS_PER_SECOND;
            }
        }
        return 0;
    }

    synchronized void forget() {
        marks.clear();
    }
}
