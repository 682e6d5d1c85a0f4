package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One account in three regions, of which one takes the writes. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RegionsIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final String ASIA = "Southeast Asia";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static RegionalAccount account;

    @BeforeAll
    static void start() {
        account = new RegionalAccount(folder, List.of(WEST, NORTH, ASIA));
        try (var client = account.clientIn(WEST)) {
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/pk");
        }
    }

    @AfterAll
    static void stop() {
        account.close();
    }

    @Test
    @Order(1)
    void whatIsWrittenInOneRegionIsReadInTheOthers() {
        var west = container(WEST);
        for (int i = 0; i < 50; i++) {
            west.createItem(item("a" + i, i));
        }
        for (var region : List.of(NORTH, ASIA)) {
            var there = container(region);
            Await.value(region + " has all", () -> count(there), 50);
            var read = there.readItem("a7", new PartitionKey("p7"), JsonNode.class);
            assertThat(read.getItem().path("n").asInt()).isEqualTo(7);
            assertThat(read.getDiagnostics().getContactedRegionNames())
                    .containsExactly(region.toLowerCase(Locale.ROOT));
            var original = west.readItem("a7", new PartitionKey("p7"), JsonNode.class);
            assertThat(read.getItem()).isEqualTo(original.getItem());
        }
    }

    @Test
    @Order(2)
    void aClientElsewhereReadsWhatItHasWritten() {
        var north = container(NORTH);
        for (int i = 0; i < 30; i++) {
            var created = north.createItem(item("own" + i, i));
            assertThat(created.getDiagnostics().getContactedRegionNames()).contains(WEST.toLowerCase(Locale.ROOT));
            assertThat(north.readItem("own" + i, new PartitionKey("p" + i), JsonNode.class)
                            .getStatusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @Order(3)
    void everythingThatDescribesIsReplicated() {
        var west = container(WEST);
        west.getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties(
                        "hello", "function () { getContext().getResponse().setBody('hello'); }"));
        try (var client = account.clientIn(WEST)) {
            client.getDatabase("d").createUser(new CosmosUserProperties().setId("somebody"));
            var properties = west.read().getProperties();
            properties.setDefaultTimeToLiveInSeconds(-1);
            west.replace(properties);
        }
        try (var client = account.clientIn(ASIA)) {
            var there = client.getDatabase("d").getContainer("c");
            Await.until(
                    "the script is there",
                    () -> there.getScripts().readAllStoredProcedures().stream()
                            .anyMatch(procedure -> procedure.getId().equals("hello")));
            Await.until(
                    "the user is there",
                    () -> client.getDatabase("d").readAllUsers().stream()
                            .anyMatch(user -> user.getId().equals("somebody")));
            Await.value(
                    "the time to live is there",
                    () -> there.read().getProperties().getDefaultTimeToLiveInSeconds(),
                    -1);
        }
    }

    @Test
    @Order(4)
    void aRangeThatIsSplitIsSplitEverywhere() {
        try (var client = account.clientIn(WEST)) {
            client.getDatabase("d")
                    .createContainer(
                            new CosmosContainerProperties("split", "/pk"),
                            ThroughputProperties.createManualThroughput(6000));
            var west = client.getDatabase("d").getContainer("split");
            for (int i = 0; i < 40; i++) {
                west.createItem(item("s" + i, i));
            }
            west.replaceThroughput(ThroughputProperties.createManualThroughput(18000));
            Await.until("it is split", () -> west.getFeedRanges().size() > 1);
            for (int i = 40; i < 80; i++) {
                west.createItem(item("s" + i, i));
            }
            int ranges = west.getFeedRanges().size();
            var asia = account.clientIn(ASIA).getDatabase("d").getContainer("split");
            Await.value("all items are there", () -> count(asia), 80);
            Await.value(
                    "as many ranges are there",
                    () -> account.clientIn(ASIA)
                            .getDatabase("d")
                            .getContainer("split")
                            .getFeedRanges()
                            .size(),
                    ranges);
        }
    }

    @Test
    @Order(5)
    void aRegionThatWasAwayCatchesUp() {
        account.server(ASIA).kill();
        var west = container(WEST);
        for (int i = 0; i < 50; i++) {
            west.upsertItem(item("late" + i, i));
        }
        west.deleteItem("a1", new PartitionKey("p1"), new CosmosItemRequestOptions());
        account.server(ASIA).restart();
        var asia = container(ASIA);
        Await.value("all items are there", () -> ids(asia), ids(west));
    }

    @Test
    @Order(6)
    void aFailoverByHandLosesNothingAndIsHardlySeen() throws Exception {
        var acknowledged = new ConcurrentSkipListSet<String>();
        var failures = new ArrayList<Throwable>();
        var going = new AtomicBoolean(true);
        var west = container(WEST);
        var writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; going.get(); i++) {
                try {
                    west.createItem(item("f" + i, i));
                    acknowledged.add("f" + i);
                } catch (RuntimeException failed) {
                    failures.add(failed);
                    return;
                }
            }
        });
        Await.until("some are written", () -> acknowledged.size() > 20);
        assertThat(account.move(ASIA, NORTH)).contains("North Europe takes the writes");
        int then = acknowledged.size();
        Await.until("more are written", () -> !failures.isEmpty() || acknowledged.size() > then + 20);
        going.set(false);
        writer.join();
        assertThat(failures).isEmpty();
        account.awaitRole(NORTH, "writes");
        for (var region : List.of(WEST, NORTH, ASIA)) {
            var there = container(region);
            Await.until(region + " has all", () -> ids(there).containsAll(acknowledged));
        }
        assertThat(account.status(WEST).path("writeRegion").asText()).isEqualTo(NORTH);
    }

    @Test
    @Order(9)
    void aLostWriteRegionIsReplacedByItself() throws Exception {
        var writes = account.status(ASIA).path("writeRegion").asText();
        var others = new ArrayList<>(List.of(WEST, NORTH, ASIA));
        others.remove(writes);
        var acknowledged = new ConcurrentSkipListSet<String>();
        var going = new AtomicBoolean(true);
        var container = container(others.getFirst());
        var writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; going.get(); i++) {
                try {
                    container.upsertItem(item("lost" + i, i));
                    acknowledged.add("lost" + i);
                } catch (CosmosException failed) {
                    // Whether it was done is not known; the next one is another item.
                }
            }
        });
        Await.until("some are written", () -> acknowledged.size() > 10);
        account.server(writes).kill();
        int then = acknowledged.size();
        Await.until(
                "another region takes the writes",
                () -> !account.status(others.getFirst())
                        .path("writeRegion")
                        .asText()
                        .equals(writes));
        Await.until("more are written", () -> acknowledged.size() > then + 10);
        going.set(false);
        writer.join();
        account.server(writes).restart();
        account.awaitRole(writes, "follows");
        var reference = container(others.getFirst());
        var back = container(writes);
        Await.until("it has followed", () -> ids(back).equals(ids(reference)));
        var missing = new TreeSet<>(acknowledged);
        missing.removeAll(ids(reference));
        // What only the lost region had is told, each once.
        Await.value(
                "conflicts",
                () -> account.conflictsIn(others.getFirst(), "d", "c").size() >= missing.size(),
                true);
    }

    @Test
    @Order(7)
    void aRegionThatFollowsRefusesEveryKindOfWriteAndSaysWhereToWrite() {
        var follower = List.of(WEST, NORTH, ASIA).stream()
                .filter(region -> account.status(region).path("role").asText().equals("follows"))
                .findFirst()
                .orElseThrow();
        var wire = new WireClient(account.server(follower));
        var writes = Map.of(
                "/dbs", "{\"id\":\"no\"}",
                "/dbs/d/users", "{\"id\":\"no\"}",
                "/dbs/d/colls", "{\"id\":\"no\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}",
                "/dbs/d/colls/c/sprocs", "{\"id\":\"no\",\"body\":\"function () {}\"}");
        writes.forEach((path, body) -> demandRefused(path, wire.post(path, body)));
        var item = WireRequest.of("POST", "/dbs/d/colls/c/docs").header("x-ms-documentdb-partitionkey", "[\"p1\"]");
        demandRefused("item", wire.send(item.body("{\"id\":\"no\",\"pk\":\"p1\"}")));
        var delete = WireRequest.of("DELETE", "/dbs/d/colls/c/docs/a2");
        demandRefused("delete", wire.send(delete.header("x-ms-documentdb-partitionkey", "[\"p2\"]")));
        demandRefused("container", wire.send(WireRequest.of("DELETE", "/dbs/d/colls/c")));
        assertThat(wire.get("/dbs/d/colls/c").status()).isEqualTo(200);
    }

    private static void demandRefused(String what, WireReply reply) {
        assertThat(reply.status()).as(what).isEqualTo(403);
        assertThat(reply.substatus()).as(what).isEqualTo(3);
        assertThat(reply.json().path("message").asText()).as(what).contains("Writes go to", "http://localhost:");
    }

    @Test
    @Order(8)
    void theRegionsAreListedAndAnUnknownOneIsNamed() {
        var order = account.order(NORTH, "region", "list");
        assertThat(order).contains("North Europe").contains("writes").contains("follows");
        assertThatThrownBy(() -> account.order(NORTH, "failover", "--to", "Atlantis"))
                .hasMessageContaining("is no region of this account");
    }

    private static CosmosContainer container(String region) {
        return account.clientIn(region).getDatabase("d").getContainer("c");
    }

    private static ObjectNode item(String id, int n) {
        return JSON.createObjectNode().put("id", id).put("pk", "p" + n).put("n", n);
    }

    private static int count(CosmosContainer container) {
        try {
            return container
                    .queryItems("SELECT VALUE COUNT(1) FROM c", new CosmosQueryRequestOptions(), Integer.class)
                    .stream()
                    .findFirst()
                    .orElse(0);
        } catch (CosmosException notYet) {
            return -1;
        }
    }

    private static Set<String> ids(CosmosContainer container) {
        var ids = new TreeSet<String>();
        container
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(ids::add);
        return ids;
    }
}
