package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A suite of the official Java SDK: every test runs in gateway mode over http and https, and in Direct mode. */
@ParameterizedClass(name = "{0}")
@EnumSource(Transport.class)
abstract class SdkSuite {
    // Building a client costs far more than any request, and applications share theirs as well.
    private static final Map<Transport, CosmosClient> CLIENTS = new EnumMap<>(Transport.class);
    private static final AtomicInteger CONTAINERS = new AtomicInteger();

    @Parameter
    Transport transport;

    CosmosClient client;
    CosmosDatabase database;

    @BeforeEach
    void openDatabase() {
        var name = getClass().getSimpleName() + "-" + transport.name().toLowerCase(Locale.ROOT);
        synchronized (CLIENTS) {
            client = CLIENTS.computeIfAbsent(transport, any -> builder().buildClient());
            // Of two tests that start at once, the SDK would tell the second that the first has made it.
            client.createDatabaseIfNotExists(name);
        }
        database = client.getDatabase(name);
    }

    OrreryServer server() {
        return SharedServer.running();
    }

    WireClient wire() {
        return new WireClient(server());
    }

    /** A builder for a client of its own; writes return the item, as most tests look at it. */
    CosmosClientBuilder builder() {
        return builderWithoutKey().key(OrreryServer.WELL_KNOWN_KEY);
    }

    CosmosClientBuilder builderWithoutKey() {
        return transport.builder(server()).contentResponseOnWriteEnabled(true);
    }

    static String freshName() {
        return "c" + CONTAINERS.incrementAndGet();
    }

    /** A new container that nobody else uses. */
    CosmosContainer container(String partitionKeyPath) {
        return container(new CosmosContainerProperties(freshName(), partitionKeyPath));
    }

    CosmosContainer hierarchicalContainer(String... partitionKeyPaths) {
        var definition = new PartitionKeyDefinition()
                .setPaths(List.of(partitionKeyPaths))
                .setKind(PartitionKind.MULTI_HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2);
        return container(new CosmosContainerProperties(freshName(), definition));
    }

    CosmosContainer container(CosmosContainerProperties properties) {
        database.createContainer(properties);
        return database.getContainer(properties.getId());
    }

    static PartitionKey key(Object value) {
        return new PartitionKey(value);
    }

    static ObjectNode json(String text) {
        return Json.object(text);
    }

    static ObjectNode read(CosmosContainer container, String id, PartitionKey key) {
        return container.readItem(id, key, ObjectNode.class).getItem();
    }

    /** Asserts that the SDK reports this status and substatus, with a message meant for people. */
    static CosmosException assertRefused(int status, int substatus, ThrowingCallable request) {
        var refusal = catchThrowableOfType(CosmosException.class, request);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.getStatusCode() + "/" + refusal.getSubStatusCode())
                .as(refusal.getMessage())
                .isEqualTo(status + "/" + substatus);
        assertThat(refusal.getShortMessage())
                .isNotBlank()
                .doesNotContain("Exception:")
                .doesNotContain("\tat ");
        return refusal;
    }

    static CosmosException assertRefused(int status, ThrowingCallable request) {
        return assertRefused(status, 0, request);
    }
}
