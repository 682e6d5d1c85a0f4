package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncUser;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ContainerChildResourceType;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PermissionMode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users, permissions and the resource tokens they hand out, which open what they say and nothing else. */
class UsersAndPermissionsIT extends SdkSuite {
    private CosmosAsyncClient administrator;
    private CosmosAsyncUser user;
    private CosmosContainer container;
    private CosmosContainer other;

    @BeforeEach
    void createUserAndContainers() {
        administrator = builder().buildAsyncClient();
        var name = "user-" + freshName();
        database.createUser(new CosmosUserProperties().setId(name));
        user = administrator.getDatabase(database.getId()).getUser(name);
        container = container("/pk");
        container.createItem(json("{'id':'1','pk':'mine','n':1}"));
        container.createItem(json("{'id':'2','pk':'theirs','n':1}"));
        other = container("/pk");
        other.createItem(json("{'id':'1','pk':'mine','n':1}"));
    }

    @AfterEach
    void closeAdministrator() {
        administrator.close();
    }

    @Test
    void usersAreCreatedReadListedReplacedAndDeleted() {
        assertThat(user.read().block().getProperties().getId()).isEqualTo(user.getId());
        assertRefused(409, () -> database.createUser(new CosmosUserProperties().setId(user.getId())));
        assertThat(database.readAllUsers())
                .extracting(CosmosUserProperties::getId)
                .contains(user.getId());
        assertThat(database.queryUsers("SELECT * FROM u WHERE u.id = '" + user.getId() + "'"))
                .hasSize(1);
        var renamed = user.read().block().getProperties().setId("renamed-" + freshName());
        assertThat(user.replace(renamed).block().getProperties().getId()).isEqualTo(renamed.getId());
        var same = database.getUser(renamed.getId());
        assertThat(same.delete().getStatusCode()).isEqualTo(204);
        assertRefused(404, same::read);
        assertThat(database.upsertUser(new CosmosUserProperties().setId(renamed.getId()))
                        .getStatusCode())
                .isEqualTo(201);
    }

    @Test
    void permissionsAreCreatedReadListedReplacedAndDeleted() {
        var created = create(permission("p", PermissionMode.READ));
        assertThat(created.getToken()).startsWith("type=resource&ver=1");
        var permission = user.getPermission("p");
        assertThat(permission.read(null).block().getProperties().getPermissionMode())
                .isEqualTo(PermissionMode.READ);
        assertThat(user.readAllPermissions().toIterable())
                .extracting(CosmosPermissionProperties::getId)
                .containsExactly("p");
        var replaced = permission
                .replace(created.setPermissionMode(PermissionMode.ALL), null)
                .block();
        assertThat(replaced.getProperties().getPermissionMode()).isEqualTo(PermissionMode.ALL);
        assertThat(permission.delete(null).block().getStatusCode()).isEqualTo(204);
        assertRefused(404, () -> permission.read(null).block());
    }

    @Test
    void everyReadOfAPermissionHandsOutAToken() {
        create(permission("p", PermissionMode.READ));
        var read = user.getPermission("p").read(null).block().getProperties();
        try (var limited = clientWith(read)) {
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void aReadTokenReadsAndDoesNotWrite() {
        try (var limited = clientWith(create(permission("p", PermissionMode.READ)))) {
            var mine = in(limited, container);
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
            assertThat(mine.getFeedRanges()).hasSize(1);
            assertRefused(403, () -> mine.createItem(json("{'id':'3','pk':'mine'}")));
            assertRefused(403, () -> mine.upsertItem(json("{'id':'1','pk':'mine','n':2}")));
            assertRefused(403, () -> mine.deleteItem("1", key("mine"), new CosmosItemRequestOptions()));
            assertRefused(
                    403,
                    () -> mine.patchItem(
                            "1", key("mine"), CosmosPatchOperations.create().set("/n", 2), ObjectNode.class));
        }
        assertThat(read(container, "1", key("mine")).path("n").intValue()).isEqualTo(1);
    }

    @Test
    void anAllTokenWritesToo() {
        try (var limited = clientWith(create(permission("p", PermissionMode.ALL)))) {
            in(limited, container).createItem(json("{'id':'3','pk':'mine'}"));
            in(limited, container).deleteItem("3", key("mine"), new CosmosItemRequestOptions());
        }
    }

    @Test
    void aPermissionThatIsReplacedTakesTheRightToWriteFromItsToken() {
        var permission = create(permission("p", PermissionMode.ALL));
        try (var limited = clientWith(permission)) {
            in(limited, container).createItem(json("{'id':'3','pk':'mine'}"));
            user.getPermission("p")
                    .replace(permission.setPermissionMode(PermissionMode.READ), null)
                    .block();
            assertRefused(403, () -> in(limited, container).createItem(json("{'id':'4','pk':'mine'}")));
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void aTokenOpensNoOtherContainer() {
        try (var limited = clientWith(create(permission("p", PermissionMode.ALL)))) {
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
            assertRefused(403, () -> item(limited, other, "1", "mine"));
            assertRefused(403, () -> in(limited, other).createItem(json("{'id':'3','pk':'mine'}")));
        }
    }

    @Test
    void aTokenOpensNoDatabaseAndNoContainerDefinition() {
        try (var limited = clientWith(create(permission("p", PermissionMode.ALL)))) {
            assertRefused(403, () -> limited.createDatabase("intruder-" + freshName()));
            assertRefused(403, () -> limited.getDatabase(database.getId()).createContainer(freshName(), "/pk"));
            assertRefused(403, () -> limited.getDatabase(database.getId()).delete());
            assertRefused(403, () -> in(limited, container).delete());
            assertRefused(
                    403,
                    () -> limited.getDatabase(database.getId())
                            .createUser(new CosmosUserProperties().setId("intruder")));
        }
        assertThat(container.read().getStatusCode()).isEqualTo(200);
    }

    @Test
    void aTokenForAPartitionKeyOpensThatKeyOnly() {
        var limit = permission("p", PermissionMode.ALL).setResourcePartitionKey(key("mine"));
        try (var limited = clientWith(create(limit))) {
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
            assertRefused(403, () -> item(limited, container, "2", "theirs"));
            assertRefused(403, () -> in(limited, container).createItem(json("{'id':'3','pk':'theirs'}")));
            in(limited, container).createItem(json("{'id':'3','pk':'mine'}"));
        }
    }

    @Test
    void aTokenForAnItemOpensThatItemOnly() {
        container.createItem(json("{'id':'3','pk':'mine','n':1}"));
        var limit = permission("p", PermissionMode.READ)
                .setResourcePath(ContainerChildResourceType.ITEM, "1")
                .setResourcePartitionKey(key("mine"));
        try (var limited = clientWith(create(limit))) {
            assertThat(item(limited, container, "1", "mine").path("n").intValue())
                    .isEqualTo(1);
            assertRefused(403, () -> item(limited, container, "3", "mine"));
        }
    }

    @Test
    void aForgedTokenOpensNothing() {
        var token = create(permission("p", PermissionMode.READ)).getToken();
        var middle = token.length() / 2;
        var forged =
                token.substring(0, middle) + (token.charAt(middle) == 'A' ? 'B' : 'A') + token.substring(middle + 1);
        assertOpensNothing(forged);
    }

    @Test
    void theTokenOfADeletedPermissionOpensNothing() {
        var token = create(permission("p", PermissionMode.ALL)).getToken();
        user.getPermission("p").delete(null).block();
        assertOpensNothing(token);
    }

    /** The SDK reads the account before it hands out a client, and wraps what stopped it. */
    private void assertOpensNothing(String token) {
        var failure = catchThrowable(() -> {
            try (var limited = builderWithoutKey().resourceToken(token).buildClient()) {
                item(limited, container, "1", "mine");
            }
        });
        var refusal = failure instanceof CosmosException ? failure : failure.getCause();
        assertThat(((CosmosException) refusal).getStatusCode()).isIn(401, 403);
    }

    private CosmosPermissionProperties permission(String id, PermissionMode mode) {
        return new CosmosPermissionProperties()
                .setId(id)
                .setContainerName(container.getId())
                .setPermissionMode(mode);
    }

    private CosmosPermissionProperties create(CosmosPermissionProperties permission) {
        return user.createPermission(permission, null).block().getProperties();
    }

    private CosmosClient clientWith(CosmosPermissionProperties permission) {
        return builderWithoutKey().resourceToken(permission.getToken()).buildClient();
    }

    private CosmosContainer in(CosmosClient limited, CosmosContainer container) {
        return limited.getDatabase(database.getId()).getContainer(container.getId());
    }

    private ObjectNode item(CosmosClient limited, CosmosContainer container, String id, String key) {
        return read(in(limited, container), id, key(key));
    }
}
