package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.DirectConnectionConfig;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Delivery;
import dev.orrery.conformance.changes.Processor;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.javascript.NodeSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of all kinds live through a failover by hand, and then through the death of the region that took over. All at once,
 * because each mostly waits.
 */
class FailoverIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final String ASIA = "Southeast Asia";
    private static final String GATEWAY = "gateway";
    private static final String SESSION = "session";
    private static final String DIRECT = "direct";
    private static final String NODE = "node";

    /** For reads: the first of these is the one that dies. */
    private static final List<String> DOOMED_FIRST = List.of(NORTH, WEST, ASIA);

    /**
     * For writes. Where the first region dies and took the writes, too, the Java SDK notes that it cannot read there, and
     * may read the account, and so hear who writes now, only some minutes later.
     */
    private static final List<String> SAFE_FIRST = List.of(ASIA, WEST, NORTH);

    private static final String TRUST_ANY = "COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED";
    private static final int STEPS = 25;

    private static final Map<String, Traffic> clients = new LinkedHashMap<>();
    private static final Map<Manner, Delivery> deliveries = new EnumMap<>(Manner.class);
    private static final Map<Manner, Processor> processors = new EnumMap<>(Manner.class);

    /** What each client was told until the failover by hand was over. */
    private static final Map<String, List<String>> failuresByHand = new HashMap<>();

    @TempDir
    private static Path folder;

    private static RegionalAccount account;

    @BeforeAll
    static void liveThroughBoth() throws IOException {
        // Strong: what is acknowledged is in every region, so that even a death loses nothing of it.
        account = new RegionalAccount(folder, List.of(WEST, NORTH, ASIA), "--default-consistency", "Strong");
        var owner = account.clientIn(WEST, ConsistencyLevel.STRONG);
        owner.createDatabase("d");
        owner.getDatabase("d").createContainer("c", "/pk");
        owner.getDatabase("d").createContainer("leases", "/id");
        startProcessors();
        startClients();
        awaitMore();

        account.move(ASIA, NORTH);
        awaitMore();
        clients.forEach((name, client) -> failuresByHand.put(name, client.failures()));
        leaveOutNode();

        account.server(NORTH).kill();
        Await.until(
                "another region takes the writes",
                () -> !account.status(ASIA).path("writeRegion").asText().equals(NORTH));
        awaitMore();
        clients.values().forEach(Traffic::close);
    }

    /**
     * The JavaScript SDK does not look for another region when nobody listens, and avoids one for five minutes that has
     * refused a write because it was about to take over. So it goes on, but when is a matter of luck.
     */
    private static void leaveOutNode() {
        if (clients.containsKey(NODE)) {
            clients.get(NODE).close();
        }
    }

    private static void startProcessors() {
        var followed = async(DOOMED_FIRST).getContainer("c");
        var leases = async(SAFE_FIRST).getContainer("leases");
        for (var manner : Manner.values()) {
            var delivery = new Delivery(folder.resolve(manner.name()));
            deliveries.put(manner, delivery);
            processors.put(manner, Processor.start(manner, Pace.BRISK, followed, leases, manner.name(), delivery));
        }
        // All versions come from when it started.
        processors.forEach((manner, processor) ->
                Await.until(manner + " has noted a place", () -> processor.lag() == 0 && isTaken(processor)));
    }

    private static boolean isTaken(Processor processor) {
        return !processor.owners().isEmpty() && !processor.owners().contains("");
    }

    private static void startClients() throws IOException {
        clients.put(GATEWAY, new JavaTraffic(GATEWAY, container(client(SAFE_FIRST)), container(client(DOOMED_FIRST))));
        // One client alone knows what it has written.
        var session = container(client(SAFE_FIRST).consistencyLevel(ConsistencyLevel.SESSION));
        clients.put(SESSION, new JavaTraffic(SESSION, session, session));
        System.setProperty(TRUST_ANY, "true");
        try {
            clients.put(DIRECT, new JavaTraffic(DIRECT, direct(SAFE_FIRST), direct(DOOMED_FIRST)));
        } finally {
            System.clearProperty(TRUST_ANY);
        }
        if (NodeSuite.missing().isEmpty()) {
            NodeSuite.install();
            clients.put(NODE, new NodeTraffic(NODE, account.endpoint(ASIA), SAFE_FIRST, "d", "c"));
        }
    }

    /** As an application has one; it learns which regions there are from one that stays. */
    private static CosmosClientBuilder client(List<String> preferred) {
        return account.builder(ASIA).preferredRegions(preferred);
    }

    private static CosmosContainer container(CosmosClientBuilder builder) {
        return account.client(builder).getDatabase("d").getContainer("c");
    }

    private static CosmosContainer direct(List<String> preferred) {
        // More than the usual 5 s: a server may have no processor for some.
        return container(client(preferred)
                .directMode(
                        DirectConnectionConfig.getDefaultConfig().setNetworkRequestTimeout(Duration.ofSeconds(10))));
    }

    private static CosmosAsyncDatabase async(List<String> preferred) {
        return client(preferred)
                .contentResponseOnWriteEnabled(true)
                .buildAsyncClient()
                .getDatabase("d");
    }

    private static void awaitMore() {
        clients.values().stream().filter(Traffic::isGoing).forEach(client -> client.awaitMore(STEPS));
    }

    @AfterAll
    static void stop() {
        clients.values().forEach(Traffic::close);
        processors.values().forEach(Processor::close);
        account.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {GATEWAY, SESSION, DIRECT, NODE})
    void aFailoverByHandIsNoErrorOfTheSdk(String client) {
        assumeThatItRan(client);
        assertThat(failuresByHand.get(client)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {GATEWAY, SESSION, DIRECT, NODE})
    void everyAcknowledgedWriteIsReadAtOnceAndForEver(String client) {
        assumeThatItRan(client);
        int written = clients.get(client).written();
        assertThat(clients.get(client).lost()).isEmpty();
        for (var region : List.of(WEST, ASIA)) {
            var numbers = account
                    .clientIn(region, ConsistencyLevel.STRONG)
                    .getDatabase("d")
                    .getContainer("c")
                    .queryItems(
                            "SELECT VALUE c.n FROM c ORDER BY c.n",
                            new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(client)),
                            Integer.class)
                    .stream()
                    .toList();
            assertThat(numbers)
                    .as(region)
                    .isEqualTo(IntStream.rangeClosed(1, written).boxed().toList());
        }
    }

    private static void assumeThatItRan(String client) {
        assumeTrue(clients.containsKey(client), NodeSuite::missing);
    }

    @ParameterizedTest
    @EnumSource
    void aProcessorGoesOnElsewhereAndLosesNoChange(Manner manner) {
        var written = new HashMap<String, Integer>();
        clients.forEach((name, client) -> written.put(name, client.written()));
        Await.value(manner + " delivers everything", deliveries.get(manner)::reached, written);
    }
}
