package dev.orrery.example.blog;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import java.net.URI;

/** The connections to one account: one to wait for answers with, one for streams of items and changes. */
public final class BlogClient implements AutoCloseable {
    private final CosmosClient client;
    private final CosmosAsyncClient streams;

    public BlogClient(URI endpoint, String key) {
        if (endpoint.getScheme().equals("http")) {
            // The SDK turns every address into https without this.
            System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
        }
        client = builder(endpoint, key).buildClient();
        // The change feed processor writes its leases, and wants to see what became of them.
        streams = builder(endpoint, key).contentResponseOnWriteEnabled(true).buildAsyncClient();
    }

    private static CosmosClientBuilder builder(URI endpoint, String key) {
        return new CosmosClientBuilder()
                .endpoint(endpoint.toString())
                .key(key)
                .gatewayMode()
                .contentResponseOnWriteEnabled(false);
    }

    public boolean hasDatabase(String name) {
        return client.readAllDatabases().stream()
                .map(CosmosDatabaseProperties::getId)
                .anyMatch(name::equals);
    }

    public CosmosDatabase createDatabase(String name) {
        client.createDatabase(name);
        return database(name);
    }

    public CosmosDatabase database(String name) {
        return client.getDatabase(name);
    }

    public CosmosAsyncDatabase streamed(String name) {
        return streams.getDatabase(name);
    }

    @Override
    public void close() {
        client.close();
        streams.close();
    }
}
