package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosEndToEndOperationLatencyPolicyConfigBuilder;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.checker.Linearizability;
import dev.orrery.checker.LostWrites;
import dev.orrery.checker.Operation;
import dev.orrery.checker.Version;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in three regions write and read while a region is killed, stops, or is cut off from all others, until another takes the
 * writes where it had them. At strong consistency nobody notices; at others what was acknowledged is there, or in the conflicts.
 *
 * <p>{@code -Dregions.minutes=60 -Dtest.timeout=80m} goes on for an hour each, and prints how far it has come.
 */
class RegionDisastersIT {
    private static final List<String> REGIONS = List.of("West US", "North Europe", "Southeast Asia");
    private static final int SESSIONS = 6;
    private static final int OPERATIONS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MINUTES = Integer.getInteger("regions.minutes", 0);

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    private RegionalAccount account;
    private int operations;

    /** The items of this round. */
    private List<String> keys;

    @Test
    void strongIsLinearizableWhateverIsLost() throws Exception {
        live("Strong", ConsistencyLevel.STRONG, (round, done) -> {
            assertThat(Linearizability.check(done)).as(round).isEmpty();
            assertThat(LostWrites.check(done, left(ConsistencyLevel.STRONG), Set.of()))
                    .as(round)
                    .isEmpty();
        });
    }

    @Test
    void whatIsLostWithARegionIsAmongTheConflicts() throws Exception {
        live("Session", ConsistencyLevel.SESSION, (round, done) -> {
            var left = left(ConsistencyLevel.SESSION);
            var told = told();
            assertThat(LostWrites.check(done, left, told)).as(round).isEmpty();
            left.forEach(
                    (key, value) -> assertThat(told).as(round).doesNotContain(new Version(key, Optional.of(value))));
        });
    }

    private interface Verdict {
        void judge(String round, List<Operation> operations);
    }

    /** One account lives through all rounds; each has items of its own, so that a history stays short. */
    private void live(String accountLevel, ConsistencyLevel level, Verdict verdict) throws Exception {
        try (var regions = new RegionalAccount(folder, REGIONS, "--default-consistency", accountLevel)) {
            account = regions;
            var client = account.clientIn(REGIONS.getFirst(), level);
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/pk");
            var containers = IntStream.range(0, SESSIONS)
                    .mapToObj(number -> container(number, level))
                    .toList();
            long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
            int round = 0;
            do {
                round++;
                liveThroughOne(round, containers, level, verdict);
                if (MINUTES > 0) {
                    System.out.printf(
                            "%s, seed %d: %d rounds, %d operations, no anomaly%n",
                            accountLevel, seed, round, operations);
                }
            } while (System.nanoTime() < end);
        }
    }

    /** Two sessions are in each region, and ask that one first. */
    private CosmosContainer container(int number, ConsistencyLevel level) {
        var preferred = new ArrayList<>(REGIONS);
        Collections.rotate(preferred, number);
        return account.client(account.builder(preferred.getFirst())
                        .preferredRegions(preferred)
                        .consistencyLevel(level)
                        .endToEndOperationLatencyPolicyConfig(
                                new CosmosEndToEndOperationLatencyPolicyConfigBuilder(PATIENCE).build()))
                .getDatabase("d")
                .getContainer("c");
    }

    private void liveThroughOne(int round, List<CosmosContainer> containers, ConsistencyLevel level, Verdict verdict)
            throws InterruptedException {
        keys = List.of("r" + round + "-0", "r" + round + "-1");
        var sessions = new Sessions(keys);
        for (var container : containers) {
            sessions.start(container, new Random(random.nextLong()), OPERATIONS);
        }
        awaitMore(sessions);
        var disaster = Disaster.values()[random.nextInt(Disaster.values().length)];
        // The region with the writes is the one that matters most.
        var lost = random.nextInt(3) > 0 ? writer() : REGIONS.get(random.nextInt(REGIONS.size()));
        boolean hadWrites = lost.equals(writer());
        disaster.strike(account, lost);
        if (hadWrites) {
            Await.until(
                    "another region takes the writes",
                    () -> REGIONS.stream()
                            .filter(region -> !region.equals(lost))
                            .anyMatch(region -> role(region).equals("writes")));
        }
        awaitMore(sessions);
        disaster.end(account, lost);
        var done = sessions.join();
        operations += done.size();
        awaitAgreement(level);
        verdict.judge("seed " + seed + ", round " + round + ", " + disaster + " of " + lost, done);
    }

    private void awaitMore(Sessions sessions) {
        int due = sessions.done() + SESSIONS * OPERATIONS / 4;
        Await.until("more is done", () -> sessions.done() >= due || !sessions.areGoing());
    }

    private String writer() {
        return Await.some(
                "a region takes the writes",
                () -> REGIONS.stream()
                        .filter(region -> role(region).equals("writes"))
                        .findFirst());
    }

    private String role(String region) {
        return account.status(region).path("role").asText();
    }

    private void awaitAgreement(ConsistencyLevel level) {
        Await.until("all regions agree", () -> {
            try {
                return REGIONS.stream()
                                .map(region -> contents(region, level))
                                .distinct()
                                .count()
                        == 1;
            } catch (CosmosException notYet) {
                return false;
            }
        });
    }

    /** What one region has, and no other one. */
    private Map<String, String> contents(String region, ConsistencyLevel level) {
        var contents = new HashMap<String, String>();
        try (var client = account.builder(region)
                .endpointDiscoveryEnabled(false)
                .consistencyLevel(level)
                .buildClient()) {
            client.getDatabase("d")
                    .getContainer("c")
                    .queryItems("SELECT c.id, c.v FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                    .forEach(row ->
                            contents.put(row.path("id").asText(), row.path("v").asText()));
        }
        return contents;
    }

    /** What there is in the end of the items of this round. */
    private Map<String, String> left(ConsistencyLevel level) {
        var left = contents(REGIONS.getFirst(), level);
        left.keySet().retainAll(keys);
        return left;
    }

    private Set<Version> told() {
        var told = new HashSet<Version>();
        try (var client = account.builder(writer()).buildAsyncClient()) {
            client.getDatabase("d")
                    .getContainer("c")
                    .readAllConflicts(new CosmosQueryRequestOptions())
                    .toIterable()
                    .forEach(conflict -> {
                        var item = conflict.getItem(JsonNode.class);
                        told.add(new Version(
                                item.path("id").asText(),
                                Optional.of(item.path("v").asText())));
                    });
        }
        return told;
    }

    /** What can happen to a region. */
    private enum Disaster {
        KILL {
            @Override
            void strike(RegionalAccount account, String region) {
                account.server(region).kill();
            }

            @Override
            void end(RegionalAccount account, String region) {
                account.server(region).restart();
            }
        },
        STOP {
            @Override
            void strike(RegionalAccount account, String region) {
                account.server(region).freeze();
            }

            @Override
            void end(RegionalAccount account, String region) {
                account.server(region).thaw();
            }
        },
        CUT {
            @Override
            void strike(RegionalAccount account, String region) {
                change(account, region, "cut");
            }

            @Override
            void end(RegionalAccount account, String region) {
                change(account, region, "heal");
            }

            private void change(RegionalAccount account, String region, String kind) {
                for (var other : REGIONS) {
                    if (!other.equals(region)) {
                        account.fault(region, other, kind, 0);
                        account.fault(other, region, kind, 0);
                    }
                }
            }
        };

        abstract void strike(RegionalAccount account, String region);

        abstract void end(RegionalAccount account, String region);
    }
}
