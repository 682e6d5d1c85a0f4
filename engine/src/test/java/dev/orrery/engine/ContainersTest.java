package dev.orrery.engine;

import static dev.orrery.engine.ItemsTest.refusal;
import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainersTest {
    @Test
    void aContainerEncryptsOnlyWithKeysThatItsDatabaseHas() throws Exception {
        var encrypted = """
            {"id":"e","partitionKey":{"paths":["/pk"]},"clientEncryptionPolicy":{"policyFormatVersion":2,"includedPaths":[
              {"path":"/secret","clientEncryptionKeyId":"k","encryptionType":"Randomized",
               "encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256"}]}}\
            """;
        var key = """
            {"id":"k","encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256","wrappedDataEncryptionKey":"AAECAw==",
             "keyWrapMetadata":{"type":"t","name":"n","value":"v","algorithm":"RSA-OAEP"}}\
            """;
        try (var database = TestDatabase.withContainer()) {
            var tooEarly = database.create(ResourceKind.CONTAINER, TestDatabase.DATABASE, encrypted, Optional.empty());
            assertThat(refusal(tooEarly)).isInstanceOf(Failure.BadRequest.class);
            assertThat(refusal(tooEarly).message()).contains("'k'");

            json(database.create(ResourceKind.CLIENT_ENCRYPTION_KEY, TestDatabase.DATABASE, key, Optional.empty()));
            json(database.create(ResourceKind.CONTAINER, TestDatabase.DATABASE, encrypted, Optional.empty()));
        }
    }
}
