package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import dev.orrery.conformance.server.OrreryServer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A database for containers that are written and followed at once, and for the leases of their processors. */
final class Feed implements AutoCloseable {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final CosmosClient client;
    private final CosmosAsyncClient followers;
    private final String database = "changes-" + DATABASES.incrementAndGet();

    Feed(OrreryServer server, UnaryOperator<CosmosClientBuilder> mode) {
        client = builder(server, mode).buildClient();
        followers = builder(server, mode).buildAsyncClient();
        client.createDatabase(database);
        client.getDatabase(database).createContainer("leases", "/id");
    }

    private static CosmosClientBuilder builder(OrreryServer server, UnaryOperator<CosmosClientBuilder> mode) {
        return mode.apply(new CosmosClientBuilder()
                .endpoint(server.http().toString())
                .key(OrreryServer.WELL_KNOWN_KEY)
                .contentResponseOnWriteEnabled(true));
    }

    String database() {
        return database;
    }

    CosmosAsyncDatabase followed() {
        return followers.getDatabase(database);
    }

    CosmosContainer container(String name, int units) {
        return container(new CosmosContainerProperties(name, "/pk"), units);
    }

    CosmosContainer container(CosmosContainerProperties properties, int units) {
        client.getDatabase(database).createContainer(properties, ThroughputProperties.createManualThroughput(units));
        return client.getDatabase(database).getContainer(properties.getId());
    }

    @Override
    public void close() {
        client.close();
        followers.close();
    }
}
