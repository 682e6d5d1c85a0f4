package dev.orrery.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Looks whether reads were answered as a consistency level promises, for items whose versions have a known order.
 *
 * <p>Every read has the places of the {@link Log} at which it would give what it saw. Each promise says which of them it may come
 * from, and is kept when there is one.
 */
public final class Promises {
    private final Log log;
    private final List<Operation> operations;
    private final List<Operation> reads;
    private final List<Operation> acknowledged;

    /** @param operations on items of the log only */
    public Promises(Log log, List<Operation> operations) {
        this.log = log;
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::begin))
                .toList();
        reads = this.operations.stream()
                .filter(operation -> operation.read().isPresent())
                .toList();
        // Of writes that are lost, nothingLost tells, and once is enough.
        acknowledged = this.operations.stream()
                .filter(operation -> operation
                        .acknowledged()
                        .map(log::placeOf)
                        .orElse(OptionalInt.empty())
                        .isPresent())
                .toList();
    }

    /** The log has every write that was answered with success, and nothing that nobody wrote. */
    public List<Violation> nothingLost() {
        return LostWrites.fromLog(log, operations);
    }

    /** Every read shows what there was at one place: never a later write without the earlier ones. */
    public List<Violation> consistentPrefix() {
        return reads.stream()
                .filter(read -> place(read, 0).isEmpty())
                .map(read -> new Violation("consistent prefix", "never was what this shows: " + read))
                .toList();
    }

    /** What a session has seen it goes on to see. */
    public List<Violation> monotonicReads() {
        var violations = new ArrayList<Violation>();
        bySession(reads).forEach((_, session) -> violations.addAll(monotonicReads(session)));
        return violations;
    }

    private List<Violation> monotonicReads(List<Operation> session) {
        var violations = new ArrayList<Violation>();
        var running = new PriorityQueue<Placed>(Comparator.comparingLong(placed -> placed.read.end()));
        int floor = 0;
        for (var read : session) {
            // Only what was over counts: a session may send several at once.
            while (!running.isEmpty() && running.peek().read.isBefore(read)) {
                floor = Math.max(floor, running.poll().place);
            }
            var place = place(read, floor);
            if (place.isEmpty()) {
                violations.add(new Violation("monotonic reads", "older than an earlier read: " + read));
            } else {
                // The earliest place leaves all others to what comes.
                running.add(new Placed(read, place.getAsInt()));
            }
        }
        return violations;
    }

    private record Placed(Operation read, int place) {}

    /** A session sees what it has written. */
    public List<Violation> readYourWrites() {
        var writes = bySession(acknowledged);
        return reads.stream()
                .filter(read -> {
                    int floor = writes.getOrDefault(read.session(), List.of()).stream()
                            .filter(write -> write.isBefore(read))
                            .mapToInt(this::placeOfWrite)
                            .max()
                            .orElse(0);
                    return place(read, floor).isEmpty();
                })
                .map(read -> new Violation("read your writes", "without an earlier write of its session: " + read))
                .toList();
    }

    /** What a session writes happens in the order in which it was written. */
    public List<Violation> monotonicWrites() {
        var violations = new ArrayList<Violation>();
        bySession(acknowledged).forEach((_, session) -> {
            for (var write : session) {
                session.stream()
                        .filter(earlier -> earlier.isBefore(write) && placeOfWrite(earlier) > placeOfWrite(write))
                        .findFirst()
                        .ifPresent(earlier -> violations.add(
                                new Violation("monotonic writes", write + "\n  happened before " + earlier)));
            }
        });
        return violations;
    }

    /**
     * A read lags behind by a number of versions at most, and by a time.
     *
     * @param versionsMax how many of the versions that were there when it began it may not show yet
     * @param ageMax how long ago a version must have been acknowledged, on the clock of the operations, for every read to show it
     */
    public List<Violation> boundedStaleness(int versionsMax, long ageMax) {
        return reads.stream()
                .filter(read -> {
                    int byVersions = placeAcknowledgedBefore(read.begin()) - versionsMax;
                    int byAge = placeAcknowledgedBefore(read.begin() - ageMax);
                    return place(read, Math.max(byVersions, byAge)).isEmpty();
                })
                .map(read -> new Violation("bounded staleness", "staler than the bound: " + read))
                .toList();
    }

    /** How far the log has certainly come at a time: with a version, all that are before it have happened. */
    private int placeAcknowledgedBefore(long time) {
        return acknowledged.stream()
                .filter(write -> write.end() < time)
                .mapToInt(this::placeOfWrite)
                .max()
                .orElse(0);
    }

    /** The earliest place, from another one on, at which a read would give what it saw. */
    private OptionalInt place(Operation read, int floor) {
        int place = log.placesOf(read.read().orElseThrow()).nextSetBit(Math.max(0, floor));
        return place < 0 ? OptionalInt.empty() : OptionalInt.of(place);
    }

    private int placeOfWrite(Operation write) {
        return log.placeOf(write.acknowledged().orElseThrow()).orElseThrow();
    }

    private static Map<Integer, List<Operation>> bySession(List<Operation> operations) {
        return operations.stream().collect(Collectors.groupingBy(Operation::session));
    }
}
