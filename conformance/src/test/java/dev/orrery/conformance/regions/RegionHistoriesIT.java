package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.checker.Linearizability;
import dev.orrery.checker.Log;
import dev.orrery.checker.Promises;
import dev.orrery.checker.Version;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in three regions write and read the same few items while links are cut and delayed and the writes move; what they saw
 * is judged by what the level promises.
 *
 * <p>{@code -Dregions.operations=100000} makes it long. What kills and stops do is looked at by {@link RegionDisastersIT}.
 */
class RegionHistoriesIT {
    private static final List<String> REGIONS = List.of("West US", "North Europe", "Southeast Asia");
    private static final List<String> KEYS = List.of("k0", "k1", "k2");
    private static final int OPERATIONS = Integer.getInteger("regions.operations", 120);

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Sessions sessions = new Sessions(KEYS);

    @TempDir
    private Path folder;

    @Test
    void strongIsLinearizable() throws Exception {
        live("Strong", ConsistencyLevel.STRONG);

        assertThat(Linearizability.check(sessions.join())).as("seed " + seed).isEmpty();
    }

    @Test
    void sessionKeepsItsPromises() throws Exception {
        var promises = live("Session", ConsistencyLevel.SESSION);

        assertThat(promises.nothingLost()).as("lost, seed " + seed).isEmpty();
        assertThat(promises.readYourWrites()).as("seed " + seed).isEmpty();
        assertThat(promises.monotonicReads()).as("seed " + seed).isEmpty();
        assertThat(promises.monotonicWrites()).as("seed " + seed).isEmpty();
        assertThat(promises.consistentPrefix()).as("seed " + seed).isEmpty();
    }

    @Test
    void boundedStalenessKeepsItsBound() throws Exception {
        var promises = live("BoundedStaleness", ConsistencyLevel.BOUNDED_STALENESS);

        assertThat(promises.nothingLost()).as("lost, seed " + seed).isEmpty();
        assertThat(promises.consistentPrefix()).as("seed " + seed).isEmpty();
        // Every session may have one write under way beyond the bound.
        assertThat(promises.boundedStaleness(100 + 6, Long.MAX_VALUE))
                .as("seed " + seed)
                .isEmpty();
    }

    private Promises live(String accountLevel, ConsistencyLevel level) throws Exception {
        try (var account = new RegionalAccount(folder, REGIONS, "--default-consistency", accountLevel)) {
            var client = account.clientIn(REGIONS.getFirst(), level);
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/pk");
            var first = client.getDatabase("d").getContainer("c");
            var feed = answered("where the feed is", () -> AllVersions.now(first));
            for (int number = 0; number < 2 * REGIONS.size(); number++) {
                var container = account.clientIn(REGIONS.get(number % REGIONS.size()), level)
                        .getDatabase("d")
                        .getContainer("c");
                sessions.start(container, new Random(random.nextLong()), OPERATIONS / (2 * REGIONS.size()));
            }
            disturb(account);
            sessions.join();
            heal(account);
            awaitAgreement(account, level);
            var writer = account.status(REGIONS.getFirst()).path("writeRegion").asText();
            var written = account.clientIn(writer, level).getDatabase("d").getContainer("c");
            var log = new Log(answered("what was written", () -> changesSince(written, feed)));
            return new Promises(log, sessions.join());
        }
    }

    /**
     * Makes faults between operations of the clients, so that how many there are depends on them and not on the clock. Each
     * lasts until the next, or for a moment where it would stop all who write.
     */
    private void disturb(RegionalAccount account) {
        int rounds = Math.max(3, OPERATIONS / 60);
        for (int round = 0; round < rounds; round++) {
            int due = sessions.done() + OPERATIONS / (rounds + 1);
            Await.until("more is done", () -> sessions.done() >= due || !sessions.areGoing());
            var one = REGIONS.get(random.nextInt(REGIONS.size()));
            var other = REGIONS.get((REGIONS.indexOf(one) + 1 + random.nextInt(REGIONS.size() - 1)) % REGIONS.size());
            heal(account);
            switch (random.nextInt(4)) {
                case 0 -> account.fault(one, other, "delay", 5 + random.nextInt(60));
                case 1 -> account.fault(one, other, "pause", 0);
                case 2 -> account.fault(one, other, "cut", 0);
                default -> account.failOver(one);
            }
        }
    }

    private static void heal(RegionalAccount account) {
        for (var one : REGIONS) {
            for (var other : REGIONS) {
                if (!one.equals(other)) {
                    account.fault(one, other, "heal", 0);
                }
            }
        }
    }

    private static void awaitAgreement(RegionalAccount account, ConsistencyLevel level) {
        var contents = new ArrayList<Map<String, String>>();
        var containers = REGIONS.stream()
                .map(region -> account.clientIn(region, level).getDatabase("d").getContainer("c"))
                .toList();
        Await.until("all regions agree", () -> {
            contents.clear();
            for (var container : containers) {
                contents.add(answered("what is in a region", () -> contentsOf(container)));
            }
            return contents.stream().distinct().count() == 1;
        });
    }

    private static Map<String, String> contentsOf(CosmosContainer container) {
        var contents = new HashMap<String, String>();
        container
                .queryItems("SELECT c.id, c._etag FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .forEach(row ->
                        contents.put(row.path("id").asText(), row.path("_etag").asText()));
        return contents;
    }

    /** What a region answers; on a busy machine it may lose touch with the others for a moment, and says so with 503. */
    private static <T> T answered(String what, Supplier<T> question) {
        return Await.some(what, () -> {
            try {
                return Optional.of(question.get());
            } catch (CosmosException refused) {
                if (refused.getStatusCode() != 503) {
                    throw refused;
                }
                return Optional.empty();
            }
        });
    }

    private static List<Version> changesSince(CosmosContainer container, String place) {
        return AllVersions.since(container, place).stream()
                .map(change -> Version.of(
                        change.at("/current/id").asText(),
                        change.at("/current/v").asText()))
                .toList();
    }
}
