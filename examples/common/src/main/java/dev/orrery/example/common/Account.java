package dev.orrery.example.common;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import java.net.URI;

/** The connection to an account, on a server of any make. */
public final class Account implements AutoCloseable {
    private final CosmosClient client;

    public Account(URI endpoint, String key) {
        client = builder(endpoint, key).buildClient();
    }

    /** For clients of other kinds, which connect in the same way. */
    public static CosmosClientBuilder builder(URI endpoint, String key) {
        if (endpoint.getScheme().equals("http")) {
            // The SDK turns every address into https without this.
            System.setProperty("COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED", "true");
        } else if (isHere(endpoint.getHost())) {
            // A server on this machine, such as an emulator, has a certificate that nobody else has signed.
            System.setProperty("COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED", "true");
            System.setProperty("COSMOS.EMULATOR_HOST", endpoint.getHost());
        }
        return new CosmosClientBuilder()
                .endpoint(endpoint.toString())
                .key(key)
                .gatewayMode()
                .contentResponseOnWriteEnabled(false);
    }

    private static boolean isHere(String host) {
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("[::1]");
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

    @Override
    public void close() {
        client.close();
    }
}
