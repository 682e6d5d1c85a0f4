package dev.orrery.example.publishing.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the writes of an account that all regions write to were settled, as its servers tell.
 *
 * @param writes how many had each outcome, conflicts or not
 * @param conflicts of each kind of conflict, how many had each outcome
 * @param confirmMillis how long it took on average until a write of a region was settled and shown there, while all were up
 */
record Settling(Map<String, Long> writes, Map<String, Map<String, Long>> conflicts, Map<Region, Double> confirmMillis) {
    /** What may become of a conflict, as servers call it. */
    static final List<String> OUTCOMES = List.of("patched", "won", "lost", "merged", "kept");

    private static final String CONFLICTS = "conflicts";

    Settling {
        writes = Map.copyOf(writes);
        conflicts = Map.copyOf(conflicts);
        confirmMillis = Map.copyOf(confirmMillis);
    }

    long allWrites() {
        return writes.values().stream().mapToLong(Long::longValue).sum();
    }

    long allConflicts() {
        return conflicts.values().stream()
                .flatMap(outcomes -> outcomes.values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The kinds of conflicts that there were, in one order. */
    List<String> kinds() {
        return conflicts.keySet().stream().sorted().toList();
    }

    long count(String kind, String outcome) {
        return conflicts.getOrDefault(kind, Map.of()).getOrDefault(outcome, 0L);
    }

    /** Adds up what several processes have told. A process counts from its start, so one is asked before it is ended. */
    static final class Sum {
        private final Map<String, Long> writes = new LinkedHashMap<>();
        private final Map<String, Map<String, Long>> conflicts = new TreeMap<>();
        private final Map<Region, Double> confirmMillis = new TreeMap<>();

        /** @param settled what a server says under that name */
        void add(JsonNode settled) {
            for (var name : names(settled)) {
                if (!name.equals(CONFLICTS)) {
                    writes.merge(name, settled.path(name).asLong(), Long::sum);
                }
            }
            for (var kind : names(settled.path(CONFLICTS))) {
                var outcomes = conflicts.computeIfAbsent(kind, same -> new TreeMap<>());
                var told = settled.path(CONFLICTS).path(kind);
                names(told)
                        .forEach(outcome ->
                                outcomes.merge(outcome, told.path(outcome).asLong(), Long::sum));
            }
        }

        void addConfirmMillis(Region region, JsonNode confirmed) {
            if (confirmed.has("averageMillis")) {
                confirmMillis.put(region, confirmed.path("averageMillis").asDouble());
            }
        }

        Settling settling() {
            return new Settling(writes, conflicts, confirmMillis);
        }

        private static List<String> names(JsonNode object) {
            var names = new ArrayList<String>();
            object.fieldNames().forEachRemaining(names::add);
            return names;
        }
    }
}
