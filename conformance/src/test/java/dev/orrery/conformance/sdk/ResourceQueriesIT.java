package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PermissionMode;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole language over what describes an account: databases, containers, users, permissions, throughput. */
class ResourceQueriesIT extends SdkSuite {
    private static final CosmosQueryRequestOptions OPTIONS = new CosmosQueryRequestOptions();

    @Test
    void databases() {
        var query = new SqlQuerySpec(
                "SELECT * FROM root r WHERE STARTSWITH(r.id, @start) AND r.id = @id ORDER BY r.id",
                List.of(new SqlParameter("@start", "Resource"), new SqlParameter("@id", database.getId())));
        assertThat(client.queryDatabases(query, OPTIONS))
                .extracting(CosmosDatabaseProperties::getId)
                .containsExactly(database.getId());
    }

    @Test
    void containers() {
        for (var id : List.of("b", "a", "d", "c")) {
            database.createContainerIfNotExists(new CosmosContainerProperties("sorted-" + id, "/" + id));
        }
        assertThat(database.queryContainers(
                        "SELECT * FROM c WHERE c.id LIKE 'sorted-%' AND c.partitionKey.paths[0] != '/d'"
                                + " ORDER BY c.id DESC OFFSET 0 LIMIT 2"))
                .extracting(CosmosContainerProperties::getId)
                .containsExactly("sorted-c", "sorted-b");
    }

    @Test
    void containersInPages() {
        for (var id : List.of("1", "2", "3")) {
            database.createContainerIfNotExists(new CosmosContainerProperties("paged-" + id, "/pk"));
        }
        var ids = new ArrayList<String>();
        String token = null;
        do {
            var page = database.queryContainers(
                            "SELECT * FROM c WHERE STARTSWITH(c.id, 'paged-') ORDER BY c.id DESC", OPTIONS)
                    .iterableByPage(token, 1)
                    .iterator()
                    .next();
            assertThat(page.getResults()).hasSizeLessThanOrEqualTo(1);
            page.getResults().forEach(container -> ids.add(container.getId()));
            token = page.getContinuationToken();
        } while (token != null);
        assertThat(ids).containsExactly("paged-3", "paged-2", "paged-1");
    }

    @Test
    void usersAndPermissions() {
        var container = container("/pk");
        database.upsertUser(new CosmosUserProperties().setId("ada"));
        database.upsertUser(new CosmosUserProperties().setId("böb"));
        assertThat(database.queryUsers("SELECT * FROM u WHERE LENGTH(u.id) = 3 ORDER BY u.id DESC"))
                .extracting(CosmosUserProperties::getId)
                .containsExactly("böb", "ada");

        try (var asynchronous = builder().buildAsyncClient()) {
            var user = asynchronous.getDatabase(database.getId()).getUser("ada");
            for (var mode : List.of(PermissionMode.READ, PermissionMode.ALL)) {
                user.upsertPermission(
                                new CosmosPermissionProperties()
                                        .setId("may-" + mode)
                                        .setPermissionMode(mode)
                                        .setContainerName(container.getId()),
                                null)
                        .block();
            }
            assertThat(user.queryPermissions("SELECT * FROM p WHERE LOWER(p.permissionMode) = 'read'")
                            .toIterable())
                    .hasSize(1)
                    .allSatisfy(permission -> assertThat(permission.getToken()).isNotBlank());
        }
    }

    @Test
    void projectionsAndAggregatesOverTheWire() {
        database.createContainerIfNotExists(
                new CosmosContainerProperties("dear", "/pk"), ThroughputProperties.createManualThroughput(700));
        var path = "/dbs/" + database.getId() + "/colls";
        assertThat(rows(query(path, "SELECT VALUE COUNT(1) FROM c WHERE c.id = 'dear'"), "DocumentCollections"))
                .hasToString("[1]");
        assertThat(rows(
                        query(path, "SELECT c.id, ARRAY_LENGTH(c.partitionKey.paths) AS n FROM c WHERE c.id = 'dear'"),
                        "DocumentCollections"))
                .hasToString("[{\"id\":\"dear\",\"n\":1}]");
        assertThat(rows(
                        query(
                                "/offers",
                                "SELECT VALUE MAX(o.content.offerThroughput) FROM o WHERE o.content.offerThroughput ="
                                        + " 700"),
                        "Offers"))
                .hasToString("[700]");
        assertThat(rows(
                        query("/offers", "SELECT o.offerVersion, COUNT(1) > 0 AS some FROM o GROUP BY o.offerVersion"),
                        "Offers"))
                .hasToString("[{\"offerVersion\":\"V2\",\"some\":true}]");
    }

    @Test
    void mistakesAreRefusedAsInQueriesOverItems() {
        assertThat(query("/dbs", "SELECT * FORM c").status()).isEqualTo(400);
        assertThat(query("/dbs", "SELECT * FORM c").body()).contains("SC1001");
        assertThat(query("/offers", "SELECT * FROM c WHERE c.x = @none").status())
                .isEqualTo(400);
        assertThat(wire().send(asking("/dbs", "SELECT * FROM c").header("x-ms-continuation", "nonsense"))
                        .status())
                .isEqualTo(400);
    }

    private WireReply query(String path, String text) {
        return wire().send(asking(path, text));
    }

    private static WireRequest asking(String path, String text) {
        return WireRequest.of("POST", path)
                .header("x-ms-documentdb-isquery", "true")
                .header("content-type", "application/query+json")
                .body(json("{}").put("query", text).toString());
    }

    private static JsonNode rows(WireReply reply, String name) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path(name);
    }
}
