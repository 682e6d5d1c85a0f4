package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Databases: created, read, listed, found by id, deleted with all they hold. */
class DatabaseIT extends SdkSuite {
    @Test
    void aCreatedDatabaseCanBeReadAndHasItsSystemProperties() {
        var name = databaseName();
        var created = client.createDatabase(name);
        assertThat(created.getStatusCode()).isEqualTo(201);
        var read = client.getDatabase(name).read();
        assertThat(read.getStatusCode()).isEqualTo(200);
        assertThat(read.getProperties().getId()).isEqualTo(name);
        assertThat(read.getProperties().getResourceId())
                .hasSize(8)
                .isEqualTo(created.getProperties().getResourceId());
        assertThat(read.getProperties().getETag()).startsWith("\"").endsWith("\"");
        assertThat(read.getProperties().getTimestamp())
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(2)),
                        Instant.now().plus(Duration.ofMinutes(2)));
        assertThat(read.getRequestCharge()).isPositive();
        assertThat(read.getActivityId()).isNotBlank();
    }

    @Test
    void aSecondDatabaseOfTheSameNameIsAConflict() {
        assertRefused(409, () -> client.createDatabase(database.getId()));
        assertThat(client.createDatabaseIfNotExists(database.getId()).getStatusCode())
                .isEqualTo(200);
    }

    @Test
    void databasesAreListedAndFoundById() {
        var name = databaseName();
        client.createDatabase(name);
        assertThat(client.readAllDatabases())
                .extracting(CosmosDatabaseProperties::getId)
                .contains(name, database.getId());
        assertThat(client.queryDatabases(
                        new SqlQuerySpec(
                                "SELECT * FROM root r WHERE r.id = @id", List.of(new SqlParameter("@id", name))),
                        new CosmosQueryRequestOptions()))
                .extracting(CosmosDatabaseProperties::getId)
                .containsExactly(name);
        assertThat(client.queryDatabases("SELECT * FROM c WHERE c.id = 'none such'", new CosmosQueryRequestOptions()))
                .isEmpty();
    }

    @Test
    void aDeletedDatabaseIsGoneWithItsContainers() {
        var doomed = client.getDatabase(
                client.createDatabase(databaseName()).getProperties().getId());
        doomed.createContainer("inner", "/pk");
        assertThat(doomed.delete().getStatusCode()).isEqualTo(204);
        assertRefused(404, doomed::read);
        assertRefused(404, doomed::delete);
        assertThat(wire().get("/dbs/" + doomed.getId() + "/colls/inner").status())
                .isEqualTo(404);
        client.createDatabase(doomed.getId());
        assertThat(doomed.readAllContainers()).isEmpty();
    }

    @Test
    void aMissingDatabaseIsNotFound() {
        assertRefused(404, () -> client.getDatabase("none such").read());
        assertRefused(404, 1003, () -> client.getDatabase("none such").createContainer("c", "/pk"));
    }

    @Test
    void aDatabaseIdMayHoldSpacesAndAnyLanguage() {
        for (var name :
                List.of("a b " + freshName(), "größe-" + freshName(), "数据库" + freshName(), "a%20b+" + freshName())) {
            client.createDatabase(name);
            assertThat(client.getDatabase(name).read().getProperties().getId()).isEqualTo(name);
            client.getDatabase(name).createContainer("c", "/pk");
            assertThat(client.getDatabase(name).getContainer("c").getFeedRanges())
                    .hasSize(1);
        }
    }

    private static String databaseName() {
        return "database-" + freshName();
    }
}
