package dev.orrery.conformance.scalardb;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.scalar.db.storage.cosmos.CosmosAdmin;
import com.scalar.db.storage.cosmos.CosmosConfig;
import com.scalar.db.util.AdminTestUtils;
import java.util.Properties;

/** What ScalarDB's tests of administration do behind its back, to the databases and containers that it keeps tables in. */
final class StoredTables extends AdminTestUtils {
    private final CosmosClient client;
    private final String system;

    StoredTables(Properties properties) {
        super(properties);
        client = new CosmosClientBuilder()
                .endpoint(properties.getProperty("scalar.db.contact_points"))
                .key(properties.getProperty("scalar.db.password"))
                .directMode()
                .buildClient();
        system = properties.getProperty(CosmosConfig.TABLE_METADATA_DATABASE);
    }

    private CosmosContainer metadata() {
        return client.getDatabase(system).getContainer(CosmosAdmin.METADATA_CONTAINER);
    }

    @Override
    public void dropMetadataTable() {
        metadata().delete();
    }

    @Override
    public void truncateMetadataTable() {
        metadata()
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(this::deleteMetadata);
    }

    @Override
    public void corruptMetadata(String namespace, String table) {
        var wrong = JsonNodeFactory.instance.objectNode().put("id", namespace + "." + table);
        wrong.putArray("partitionKeyNames").add("no such column");
        metadata().upsertItem(wrong);
    }

    @Override
    public void deleteMetadata(String namespace, String table) {
        deleteMetadata(namespace + "." + table);
    }

    private void deleteMetadata(String id) {
        metadata().deleteItem(id, new PartitionKey(id), new CosmosItemRequestOptions());
    }

    @Override
    public boolean namespaceExists(String namespace) {
        return exists(() -> client.getDatabase(namespace).read());
    }

    @Override
    public boolean tableExists(String namespace, String table) {
        return exists(() -> client.getDatabase(namespace).getContainer(table).read());
    }

    private static boolean exists(Runnable read) {
        try {
            read.run();
            return true;
        } catch (CosmosException refusal) {
            if (refusal.getStatusCode() == 404) {
                return false;
            }
            throw refusal;
        }
    }

    @Override
    public void dropTable(String namespace, String table) {
        client.getDatabase(namespace).getContainer(table).delete();
    }

    @Override
    public void close() {
        client.close();
    }
}
