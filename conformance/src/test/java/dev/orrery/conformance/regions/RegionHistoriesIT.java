package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.checker.Action;
import dev.orrery.checker.Linearizability;
import dev.orrery.checker.Log;
import dev.orrery.checker.Outcome;
import dev.orrery.checker.Promises;
import dev.orrery.checker.Recorder;
import dev.orrery.checker.Version;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in three regions write and read the same few items while links are cut and delayed and the writes move; what they saw
 * is judged by what the level promises.
 *
 * <p>{@code -Dregions.operations=100000} makes it long.
 */
class RegionHistoriesIT {
    private static final List<String> REGIONS = List.of("West US", "North Europe", "Southeast Asia");
    private static final List<String> KEYS = List.of("k0", "k1", "k2");
    private static final PartitionKey PARTITION = new PartitionKey("p");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OPERATIONS = Integer.getInteger("regions.operations", 240);

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Recorder recorder = new Recorder(System::nanoTime);
    private final AtomicInteger values = new AtomicInteger();

    @TempDir
    private Path folder;

    @Test
    void strongIsLinearizable() throws Exception {
        live("Strong", ConsistencyLevel.STRONG);

        assertThat(Linearizability.check(recorder.operations()))
                .as("seed " + seed)
                .isEmpty();
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
            var feed = changesFromNow(client.getDatabase("d").getContainer("c"));
            var sessions = new ArrayList<Thread>();
            for (int number = 0; number < 2 * REGIONS.size(); number++) {
                int session = number;
                var container = account.clientIn(REGIONS.get(number % REGIONS.size()), level)
                        .getDatabase("d")
                        .getContainer("c");
                var mine = new Random(random.nextLong());
                sessions.add(Thread.ofPlatform().start(() -> work(session, container, mine)));
            }
            disturb(account);
            for (var session : sessions) {
                session.join();
            }
            heal(account);
            awaitAgreement(account, level);
            var log = new Log(changesSince(
                    account.clientIn(
                                    account.status(REGIONS.getFirst())
                                            .path("writeRegion")
                                            .asText(),
                                    level)
                            .getDatabase("d")
                            .getContainer("c"),
                    feed));
            return new Promises(log, recorder.operations());
        }
    }

    private void work(int session, CosmosContainer container, Random random) {
        for (int done = 0; done < OPERATIONS / (2 * REGIONS.size()); done++) {
            var key = KEYS.get(random.nextInt(KEYS.size()));
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> write(session, container, key);
                case 4 -> readAll(session, container);
                default -> read(session, container, key);
            }
        }
    }

    private void write(int session, CosmosContainer container, String key) {
        var value = "v" + values.incrementAndGet();
        var pending = recorder.begin(session);
        var action = Action.Write.of(key, value);
        try {
            container.upsertItem(
                    JSON.createObjectNode().put("id", key).put("pk", "p").put("v", value));
            pending.end(action, Outcome.DONE);
        } catch (CosmosException failed) {
            pending.end(action, Outcome.UNKNOWN);
        }
    }

    private void read(int session, CosmosContainer container, String key) {
        var pending = recorder.begin(session);
        try {
            var item = container.readItem(key, PARTITION, ObjectNode.class).getItem();
            pending.end(Action.Read.of(key, Optional.of(item.path("v").asText())), Outcome.DONE);
        } catch (CosmosException failed) {
            boolean absent = failed.getStatusCode() == 404 && failed.getSubStatusCode() == 0;
            pending.end(Action.Read.of(key, Optional.empty()), absent ? Outcome.DONE : Outcome.NOT_DONE);
        }
    }

    private void readAll(int session, CosmosContainer container) {
        var pending = recorder.begin(session);
        Map<String, Optional<String>> seen = new HashMap<>();
        KEYS.forEach(key -> seen.put(key, Optional.empty()));
        try {
            int pages = 0;
            for (var page : container
                    .queryItems(
                            "SELECT c.id, c.v FROM c",
                            new CosmosQueryRequestOptions().setPartitionKey(PARTITION),
                            JsonNode.class)
                    .iterableByPage()) {
                page.getResults()
                        .forEach(row -> seen.put(
                                row.path("id").asText(),
                                Optional.of(row.path("v").asText())));
                pages++;
            }
            // Each page shows one moment; several of them promise nothing together.
            pending.end(new Action.Read(seen), pages == 1 ? Outcome.DONE : Outcome.NOT_DONE);
        } catch (CosmosException failed) {
            pending.end(new Action.Read(seen), Outcome.NOT_DONE);
        }
    }

    /** Makes faults between operations of the clients, so that how many there are depends on them and not on the clock. */
    private void disturb(RegionalAccount account) {
        int rounds = Math.max(3, OPERATIONS / 60);
        for (int round = 0; round < rounds; round++) {
            int due = recorder.operations().size() + OPERATIONS / (rounds + 1);
            Await.until("more is done", () -> recorder.operations().size() >= Math.min(due, OPERATIONS - 6));
            var one = REGIONS.get(random.nextInt(REGIONS.size()));
            var other = REGIONS.get((REGIONS.indexOf(one) + 1 + random.nextInt(REGIONS.size() - 1)) % REGIONS.size());
            switch (random.nextInt(4)) {
                case 0 -> account.fault(one, other, "delay", 5 + random.nextInt(60));
                case 1 -> {
                    account.fault(one, other, "pause", 0);
                    account.fault(one, other, "resume", 0);
                }
                case 2 -> {
                    account.fault(one, other, "cut", 0);
                    account.fault(one, other, "heal", 0);
                }
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
                var all = new HashMap<String, String>();
                container
                        .queryItems("SELECT c.id, c._etag FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                        .forEach(row -> all.put(
                                row.path("id").asText(), row.path("_etag").asText()));
                contents.add(all);
            }
            return contents.stream().distinct().count() == 1;
        });
    }

    private static String changesFromNow(CosmosContainer container) {
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange())
                .allVersionsAndDeletes();
        String place = "";
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            place = page.getContinuationToken();
        }
        return place;
    }

    private static List<Version> changesSince(CosmosContainer container, String place) {
        var versions = new ArrayList<Version>();
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(place)
                .allVersionsAndDeletes();
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            for (var change : page.getResults()) {
                versions.add(Version.of(
                        change.at("/current/id").asText(),
                        change.at("/current/v").asText()));
            }
        }
        return versions;
    }
}
