package dev.orrery.checker;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Looks whether every write that was answered with success is there in the end, or was written over by a later one. */
public final class LostWrites {
    private static final String LOST = "nothing lost";
    private static final String INVENTED = "nothing invented";

    private LostWrites() {}

    /**
     * Needs only what is there in the end.
     *
     * @param left the value of every item that still has one
     * @param told versions that may be missing, as the database has told that it dropped them
     */
    public static List<Violation> check(List<Operation> operations, Map<String, String> left, Set<Version> told) {
        var keys = new HashSet<>(left.keySet());
        operations.stream()
                .filter(operation -> operation.written().isPresent())
                .forEach(operation -> operation.keys().forEach(keys::add));
        return keys.stream()
                .sorted()
                .flatMap(key -> check(
                        operations.stream()
                                .filter(operation -> operation
                                        .written()
                                        .filter(version -> version.key().equals(key))
                                        .isPresent())
                                .toList(),
                        new Version(key, Optional.ofNullable(left.get(key))),
                        told)
                        .stream())
                .toList();
    }

    private static Optional<Violation> check(List<Operation> writes, Version left, Set<Version> told) {
        var owed = writes.stream()
                .filter(write -> write.acknowledged()
                        .filter(version -> !told.contains(version))
                        .isPresent())
                .toList();
        var makers = writes.stream()
                .filter(write -> write.written().orElseThrow().equals(left))
                .toList();
        if (makers.isEmpty() && left.value().isPresent()) {
            return Optional.of(new Violation(INVENTED, left + ", which nobody wrote"));
        }
        // What is left may be the last write when no other one certainly came after it. Nothing is left, too, when
        // nothing was
        // owed; and a write of unknown outcome may have come last, whenever it was sent.
        boolean explained = makers.stream()
                .anyMatch(maker ->
                        maker.outcome() == Outcome.UNKNOWN || owed.stream().noneMatch(maker::isBefore));
        if (explained || (owed.isEmpty() && left.value().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new Violation(LOST, left + " in the end, after " + owed.getLast()));
    }

    static List<Violation> fromLog(Log log, List<Operation> operations) {
        var lost = operations.stream()
                .filter(operation -> operation
                        .acknowledged()
                        .filter(version -> log.placeOf(version).isEmpty())
                        .isPresent())
                .map(operation -> new Violation(LOST, "the log lacks " + operation));
        var written = new HashSet<Version>();
        operations.forEach(operation -> operation.written().ifPresent(written::add));
        var invented = log.versions().stream()
                .filter(version -> !written.contains(version))
                .map(version -> new Violation(INVENTED, version + ", which nobody wrote"));
        return Stream.concat(lost, invented).toList();
    }
}
