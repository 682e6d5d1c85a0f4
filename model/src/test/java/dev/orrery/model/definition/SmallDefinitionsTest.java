package dev.orrery.model.definition;

import static dev.orrery.model.definition.DefinitionTexts.object;
import static dev.orrery.model.definition.DefinitionTexts.spelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.json.SystemProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases, users, permissions and client encryption keys. */
class SmallDefinitionsTest {
    private static final SystemProperties SYSTEM = new SystemProperties("AQIDBA==", "dbs/AQIDBA==/", "\"1\"", 5);

    @Test
    void aDatabaseLinksToItsContainersAndUsers() {
        assertThat(spelled(DatabaseDefinition.parse(object("{\"id\":\"d\"}")).toJson(SYSTEM)))
                .isEqualTo("{\"id\":\"d\",\"_rid\":\"AQIDBA==\",\"_ts\":5,\"_self\":\"dbs/AQIDBA==/\","
                        + "\"_etag\":\"\\\"1\\\"\",\"_colls\":\"colls/\",\"_users\":\"users/\"}");
    }

    @Test
    void aUserLinksToPermissions() {
        assertThat(spelled(UserDefinition.parse(object("{\"id\":\"u\"}")).toJson(SYSTEM)))
                .endsWith("\"_permissions\":\"permissions/\"}");
    }

    @Test
    void whateverElseIsSaidIsKept() {
        var body = object("{\"id\":\"d\",\"team\":{\"name\":\"x\"}}");

        assertThat(DatabaseDefinition.parse(body).toJson()).isEqualTo(body);
        assertThat(UserDefinition.parse(body).toJson()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"id\":\"\"}", "{\"id\":\"a/b\"}", "{\"id\":\"a \"}", "{\"id\":1}"})
    void aDatabaseNeedsAProperName(String body) {
        assertThatThrownBy(() -> DatabaseDefinition.parse(object(body))).isInstanceOf(FailureException.class);
    }

    /** As azure-cosmos 4.81.0 and @azure/cosmos 4.10.1 send them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d/colls/full\",\"resourcePartitionKey\":[\"x\"]}",
                "{\"id\":\"q\",\"permissionMode\":\"all\",\"resource\":\"dbs/d/colls/full/docs/i1\","
                        + "\"resourcePartitionKey\":[\"x\",1]}",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d/colls/plain\",\"resourcePartitionKey\":[1]}",
                "{\"id\":\"p\",\"permissionMode\":\"all\",\"resource\":\"dbs/AQIDBA==/colls/AQIDBIAAAAE=/\"}"
            })
    void permissionsComeBackAsClientsSendThem(String body) {
        var permission = PermissionDefinition.parse(object(body));

        assertThat(spelled(permission.toJson())).isEqualTo(spelled(object(body)));
        assertThat(PermissionDefinition.parse(permission.toJson())).isEqualTo(permission);
    }

    @Test
    void thePermissionModeIsReadInAnyCase() {
        var permission = PermissionDefinition.parse(
                object("{\"id\":\"p\",\"permissionMode\":\"READ\",\"resource\":\"dbs/d\",\"_token\":\"old\"}"));

        assertThat(permission.mode()).isEqualTo(Mode.READ);
        assertThat(spelled(PermissionDefinition.withToken(permission.toJson(SYSTEM), "fresh")))
                .endsWith("\"_token\":\"fresh\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"permissionMode\":\"read\",\"resource\":\"dbs/d\"}|id is required",
                "{\"id\":\"p\",\"resource\":\"dbs/d\"}|permissionMode is required: read or all.",
                "{\"id\":\"p\",\"permissionMode\":\"none\",\"resource\":\"dbs/d\"}|, but must be one of read, all.",
                "{\"id\":\"p\",\"permissionMode\":\"read\"}|resource is required",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"colls/c\"}|resource is 'colls/c', but must"
                        + " be",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d/users/u\"}|but must be the link of",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d\",\"resourcePartitionKey\":\"x\"}"
                        + "|resourcePartitionKey must be an array with one value for each path",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d\",\"resourcePartitionKey\":[1,2,3,4]}"
                        + "|A partition key has at most 3 components.",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d\",\"resourcePartitionKey\":[[1]]}"
                        + "|A partition key value must be a string, a number, a boolean or null.",
                "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"dbs/d\",\"resourcePartitionKey\":[]}"
                        + "|must be an array with one value"
            })
    void aPermissionThatMakesNoSenseIsRefused(String body, String message) {
        assertThatThrownBy(() -> PermissionDefinition.parse(object(body)))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(message);
    }

    /** As azure-cosmos 4.81.0 sends it. */
    @Test
    void aClientEncryptionKeyIsKeptAsItCame() {
        var body = object("{\"id\":\"key1\",\"encryptionAlgorithm\":\"AEAD_AES_256_CBC_HMAC_SHA256\","
                + "\"wrappedDataEncryptionKey\":\"AQID\",\"keyWrapMetadata\":{\"type\":\"akv\","
                + "\"value\":\"https://vault.example/keys/k/1\",\"name\":\"key1\",\"algorithm\":\"RSA-OAEP\"}}");

        assertThat(spelled(ClientEncryptionKeyDefinition.parse(body).toJson())).isEqualTo(spelled(body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":\"k\"}|encryptionAlgorithm is required",
                "{\"id\":\"k\",\"encryptionAlgorithm\":\"A\"}|wrappedDataEncryptionKey is required",
                "{\"id\":\"k\",\"encryptionAlgorithm\":\"A\",\"wrappedDataEncryptionKey\":\"?\"}|must be base64.",
                "{\"id\":\"k\",\"encryptionAlgorithm\":\"A\",\"wrappedDataEncryptionKey\":\"AQID\"}"
                        + "|keyWrapMetadata is required"
            })
    void aClientEncryptionKeyWithoutItsPartsIsRefused(String body, String message) {
        assertThatThrownBy(() -> ClientEncryptionKeyDefinition.parse(object(body)))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(message);
    }
}
