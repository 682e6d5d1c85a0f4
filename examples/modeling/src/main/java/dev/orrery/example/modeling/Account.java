package dev.orrery.example.modeling;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import java.net.URI;

/** The connection to an account, on a server of any make. */
public final class Account implements AutoCloseable {
    private final CosmosClient client;

    public Account(URI endpoint, String key) {
        if (endpoint.getScheme().equals("http")) {
            // The SDK turns every address into https without this.
            System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
        }
        client = new CosmosClientBuilder()
                .endpoint(endpoint.toString())
                .key(key)
                .gatewayMode()
                .contentResponseOnWriteEnabled(false)
                .buildClient();
    }

    public boolean hasDatabase(String name) {
        return client.readAllDatabases().stream()
                .map(CosmosDatabaseProperties::getId)
                .anyMatch(name::equals);
    }

    public CosmosDatabase createDatabase(String name) {
        client.createDatabase(name);
        return client.getDatabase(name);
    }

    @Override
    public void close() {
        client.close();
    }
}
