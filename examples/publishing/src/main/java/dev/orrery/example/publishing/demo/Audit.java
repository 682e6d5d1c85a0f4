package dev.orrery.example.publishing.demo;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.checker.Action;
import dev.orrery.checker.LostWrites;
import dev.orrery.checker.Operation;
import dev.orrery.checker.Outcome;
import dev.orrery.checker.Version;
import dev.orrery.checker.Violation;
import dev.orrery.example.common.Account;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.publishing.ContentSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Looks in the end whether everything that was acknowledged is there, and whether all regions have the same. */
final class Audit {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final int TOLD_MAX = 20;

    /**
     * What was found.
     *
     * @param unknown writes that got no answer: they may be there or not
     * @param told writes that were acknowledged, and dropped by a failover that could not wait for them; all are in the
     *     conflicts feed
     * @param merged writes that were acknowledged, and are in what the merge procedure made of them and others
     * @param compared how many items were compared with those of another region
     * @param complaints what is lost, or differs between regions
     */
    record Verdict(
            int acknowledged, int unknown, int told, int merged, int items, int compared, List<String> complaints) {
        Verdict {
            complaints = List.copyOf(complaints);
        }
    }

    private final List<AccountServers> accounts;

    Audit(List<AccountServers> accounts) {
        this.accounts = List.copyOf(accounts);
    }

    /** Waits for the regions to agree, as there is nobody left who writes. */
    Verdict run(List<Operation> written) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var contents = contents();
        var complaints = complaints(contents);
        while (!complaints.isEmpty() && System.nanoTime() < deadline) {
            Demo.pause(LOOK_AGAIN);
            contents = contents();
            complaints = complaints(contents);
        }
        Map<String, String> left = new HashMap<>();
        var inOthers = new HashSet<Version>();
        int items = 0;
        int compared = 0;
        for (var account : accounts) {
            var replicas = contents.get(account.name());
            var own = replicas.values().iterator().next();
            own.values()
                    .forEach(item -> Written.of(account.name(), item).ifPresent(write -> {
                        left.put(write.key(), write.value().orElseThrow());
                        item.path(ContentSchema.OTHER_TITLES)
                                .forEach(title -> inOthers.add(Version.of(write.key(), title.asText())));
                    }));
            items += own.size();
            compared += own.size() * (replicas.size() - 1);
        }
        var told = acknowledged(written, conflicts());
        var merged = acknowledged(written, inOthers);
        var accounted = new HashSet<>(told);
        accounted.addAll(merged);
        LostWrites.check(written, left, accounted).stream()
                .map(Violation::toString)
                .forEach(complaints::add);
        return new Verdict(
                (int) written.stream()
                        .filter(write -> write.outcome() == Outcome.DONE)
                        .count(),
                (int) written.stream()
                        .filter(write -> write.outcome() == Outcome.UNKNOWN)
                        .count(),
                told.size(),
                merged.size(),
                items,
                compared,
                complaints.stream().limit(TOLD_MAX).toList());
    }

    /** What is in the conflicts feeds of all accounts. */
    private Set<Version> conflicts() {
        var conflicts = new HashSet<Version>();
        for (var account : accounts) {
            try (var client = Account.builder(account.endpoint(account.home()), LocalServer.KEY)
                    .buildAsyncClient()) {
                client.getDatabase(ContentSchema.DATABASE)
                        .getContainer(ContentSchema.CONTAINER)
                        .readAllConflicts(new CosmosQueryRequestOptions())
                        .toIterable()
                        .forEach(conflict -> Written.of(account.name(), conflict.getItem(JsonNode.class))
                                .ifPresent(write -> conflicts.add(new Version(write.key(), write.value()))));
            }
        }
        return conflicts;
    }

    private static Set<Version> acknowledged(List<Operation> written, Set<Version> some) {
        return written.stream()
                .filter(write -> write.outcome() == Outcome.DONE)
                .map(write -> (Action.Write) write.action())
                .map(write -> new Version(write.key(), write.value()))
                .filter(some::contains)
                .collect(Collectors.toSet());
    }

    /** The items of every account in every region. */
    private Map<String, Map<Region, Map<String, JsonNode>>> contents() {
        Map<String, Map<Region, Map<String, JsonNode>>> contents = new TreeMap<>();
        for (var account : accounts) {
            Map<Region, Map<String, JsonNode>> replicas = new TreeMap<>();
            account.regions().forEach(region -> replicas.put(region, items(account.server(region))));
            contents.put(account.name(), replicas);
        }
        return contents;
    }

    /** What one process has, and no other one of its account. */
    private static Map<String, JsonNode> items(LocalServer server) {
        Map<String, JsonNode> items = new TreeMap<>();
        var builder = Account.builder(server.endpoint(), LocalServer.KEY).endpointDiscoveryEnabled(false);
        try (var client = builder.buildClient()) {
            client.getDatabase(ContentSchema.DATABASE)
                    .getContainer(ContentSchema.CONTAINER)
                    .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                    .forEach(item -> items.put(
                            item.path("partitionKey").asText() + "/"
                                    + item.path("id").asText(),
                            item));
        }
        return items;
    }

    private List<String> complaints(Map<String, Map<Region, Map<String, JsonNode>>> contents) {
        var complaints = differences(contents);
        for (var account : accounts) {
            for (var region : account.regions()) {
                account.status(region)
                        .map(status -> status.path("unsettledWrites").asLong())
                        .filter(unsettled -> unsettled > 0)
                        .ifPresent(unsettled -> complaints.add(
                                "%d writes of %s to %s are not settled".formatted(unsettled, region, account.name())));
            }
        }
        return complaints;
    }

    private static List<String> differences(Map<String, Map<Region, Map<String, JsonNode>>> contents) {
        var differences = new ArrayList<String>();
        contents.forEach((account, replicas) -> {
            var first = replicas.entrySet().iterator().next();
            replicas.forEach((region, items) -> {
                if (!items.equals(first.getValue())) {
                    differences.add("%s has %d items in %s and %d in %s, or others"
                            .formatted(account, first.getValue().size(), first.getKey(), items.size(), region));
                }
            });
        });
        return differences;
    }
}
