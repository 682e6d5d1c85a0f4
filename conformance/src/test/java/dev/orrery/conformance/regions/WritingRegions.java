package dev.orrery.conformance.regions;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosConflictProperties;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** An account that three regions write to, with a database. */
final class WritingRegions implements AutoCloseable {
    static final String WEST = "West US";
    static final String NORTH = "North Europe";
    static final String EAST = "Southeast Asia";
    static final List<String> ALL = List.of(WEST, NORTH, EAST);
    static final String DATABASE = "d";

    private final RegionalAccount account;

    WritingRegions(Path folder) {
        account = new RegionalAccount(folder, ALL, "--multi-write");
        ALL.forEach(this::awaitTakingPart);
        account.clientIn(NORTH).createDatabase(DATABASE);
    }

    RegionalAccount account() {
        return account;
    }

    void awaitTakingPart(String region) {
        Await.until(
                region + " takes part",
                () -> account.status(region).path("takesItems").asBoolean());
    }

    /** A container as each region has it. */
    Map<String, CosmosContainer> create(CosmosContainerProperties properties) {
        account.clientIn(NORTH).getDatabase(DATABASE).createContainer(properties);
        var all = new LinkedHashMap<String, CosmosContainer>();
        for (var region : ALL) {
            var container = container(region, properties.getId());
            Await.until(region + " has the container", () -> isThere(container));
            all.put(region, container);
        }
        return all;
    }

    CosmosContainer container(String region, String id) {
        return account.clientIn(region).getDatabase(DATABASE).getContainer(id);
    }

    private static boolean isThere(CosmosContainer container) {
        try {
            container.readItem("none", new PartitionKey("none"), JsonNode.class);
            return false;
        } catch (CosmosException answer) {
            return answer.getStatusCode() == 404 && answer.getSubStatusCode() == 0;
        }
    }

    /** All that was written has been settled, and every region has all of it. */
    void awaitAgreement(Map<String, CosmosContainer> container) {
        for (var region : ALL) {
            Await.until(
                    region + " has nothing left to be settled",
                    () -> account.status(region).path("unsettledWrites").asLong(-1) == 0);
        }
        Await.until("all agree", () -> {
            var west = all(container.get(WEST));
            return west.equals(all(container.get(NORTH))) && west.equals(all(container.get(EAST)));
        });
    }

    /** All items with all their properties. */
    static Map<String, JsonNode> all(CosmosContainer container) {
        var all = new TreeMap<String, JsonNode>();
        container
                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .forEach(item -> all.put(item.path("id").asText(), item));
        return all;
    }

    /** The etags of all items as the change feed tells them from the beginning. */
    static Map<String, String> changed(CosmosContainer container) {
        var all = new TreeMap<String, String>();
        container
                .queryChangeFeed(
                        CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
                        JsonNode.class)
                .iterableByPage()
                .forEach(page -> page.getResults()
                        .forEach(item -> all.put(
                                item.path("id").asText(), item.path("_etag").asText())));
        return all;
    }

    List<CosmosConflictProperties> conflicts(String region, String container) {
        return asking(
                region,
                container,
                all -> all.readAllConflicts(new CosmosQueryRequestOptions())
                        .toStream()
                        .toList());
    }

    /** What the asynchronous client says, which alone knows of conflicts. */
    <T> T asking(String region, String container, Function<CosmosAsyncContainer, T> question) {
        try (var client =
                account.builder(region).preferredRegions(List.of(region)).buildAsyncClient()) {
            return question.apply(client.getDatabase(DATABASE).getContainer(container));
        }
    }

    /** How many writes all regions together have settled as hubs with an outcome. */
    long settled(String outcome) {
        return ALL.stream()
                .mapToLong(region ->
                        account.status(region).path("settled").path(outcome).asLong())
                .sum();
    }

    void cut(String region) {
        between(region, "cut");
    }

    void heal(String region) {
        between(region, "heal");
    }

    /** What becomes of the links between a region and the others that are alive. */
    private void between(String region, String kind) {
        for (var other : ALL) {
            if (!other.equals(region)) {
                fault(region, other, kind);
                fault(other, region, kind);
            }
        }
    }

    private void fault(String from, String to, String kind) {
        if (account.server(from).isAlive()) {
            account.fault(from, to, kind, 0);
        }
    }

    @Override
    public void close() {
        account.close();
    }
}
