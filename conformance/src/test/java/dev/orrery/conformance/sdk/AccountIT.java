package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.Signature;
import dev.orrery.conformance.wire.WireRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The account: what a client learns when it connects, and who may connect. */
class AccountIT extends SdkSuite {
    @Test
    void aClientStaysWithTheSchemeHostAndPortItWasGiven() {
        // The SDK sends everything but the first request to the advertised address, so a working write proves it.
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a'}"));
        try (var other = builder()
                .endpoint(transport.endpoint(server()).replace("localhost", "127.0.0.1"))
                .buildClient()) {
            var read = other.getDatabase(database.getId())
                    .getContainer(container.getId())
                    .readItem("1", key("a"), ObjectNode.class);
            assertThat(read.getDiagnostics().getContactedRegionNames()).hasSize(1);
            assertThat(read.getDiagnostics().toString()).contains("127.0.0.1:" + server().port());
        }
    }

    @Test
    void theAccountEchoesTheHostHeaderOfTheRequest() {
        for (var host : new String[] {"localhost:" + server().port(), "127.0.0.1:18081", "[::1]:9", "db.localhost"}) {
            var account = wire().send(WireRequest.of("GET", "/").header("Host", host));
            assertThat(account.status()).isEqualTo(200);
            assertThat(addresses(account.json())).containsOnly("http://" + host + "/");
        }
    }

    @Test
    void theAccountHasEverythingTheSdksRead() {
        var account = wire().get("/").json();
        assertThat(account.path("id").textValue()).isNotBlank().isNotEqualTo("localhost");
        assertThat(account.path("_rid").isTextual()).isTrue();
        assertThat(account.path("enableMultipleWriteLocations").booleanValue()).isFalse();
        assertThat(account.path("userConsistencyPolicy")
                        .path("defaultConsistencyLevel")
                        .textValue())
                .isEqualTo("Session");
        assertThat(account.path("userReplicationPolicy")
                        .path("minReplicaSetSize")
                        .isInt())
                .isTrue();
        assertThat(account.path("userReplicationPolicy")
                        .path("maxReplicasetSize")
                        .isInt())
                .isTrue();
        assertThat(account.path("systemReplicationPolicy")
                        .path("maxReplicasetSize")
                        .isInt())
                .isTrue();
        assertThat(account.path("readPolicy").path("primaryReadCoefficient").isInt())
                .isTrue();
        assertThat(account.path("queryEngineConfiguration").textValue())
                .startsWith("{")
                .endsWith("}");
        assertThat(account.has("thinClientReadableLocations")).isFalse();
        assertThat(account.has("thinClientWritableLocations")).isFalse();
    }

    @Test
    void aClientWithAWrongKeyIsRefused() {
        var wrong = Base64.getEncoder().encodeToString(new byte[64]);
        // The SDK reads the account before it hands out a client, and wraps what stopped it.
        assertThatThrownBy(() -> builder().key(wrong).buildClient().close())
                .cause()
                .isInstanceOfSatisfying(
                        CosmosException.class,
                        refusal -> assertThat(refusal.getStatusCode()).isEqualTo(401));
    }

    @Test
    void theSecondaryKeyOpensEverythingThePrimaryDoes() {
        var container = container("/pk");
        try (var second = builder().key(SharedServer.SECONDARY_KEY).buildClient()) {
            var same = second.getDatabase(database.getId()).getContainer(container.getId());
            same.createItem(json("{'id':'1','pk':'a'}"));
            assertThat(read(same, "1", key("a")).path("id").textValue()).isEqualTo("1");
        }
    }

    @Test
    void theReadOnlyKeyReadsAndDoesNotWrite() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a','n':1}"));
        try (var reader = builder().key(SharedServer.READ_ONLY_KEY).buildClient()) {
            var same = reader.getDatabase(database.getId()).getContainer(container.getId());
            assertThat(read(same, "1", key("a")).path("n").intValue()).isEqualTo(1);
            assertThat(same.readAllItems(key("a"), ObjectNode.class)).hasSize(1);
            assertThat(reader.readAllDatabases()).isNotEmpty();
            assertRefused(403, () -> same.createItem(json("{'id':'2','pk':'a'}")));
            assertRefused(403, () -> same.upsertItem(json("{'id':'1','pk':'a','n':2}")));
            assertRefused(403, () -> same.deleteItem("1", key("a"), new CosmosItemRequestOptions()));
            assertRefused(403, () -> reader.createDatabase("intruder-" + freshName()));
            assertRefused(403, same::delete);
        }
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(1);
    }

    @Test
    void aDateWithinFifteenMinutesIsAcceptedEitherWay() {
        for (var skew : new Duration[] {Duration.ofMinutes(-14), Duration.ofMinutes(14)}) {
            var date = Signature.date(Instant.now().plus(skew));
            assertThat(wire().send(WireRequest.of("GET", "/dbs").header("x-ms-date", date))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aClientMayAskForWeakerConsistency() {
        for (var weaker : new ConsistencyLevel[] {ConsistencyLevel.EVENTUAL, ConsistencyLevel.CONSISTENT_PREFIX}) {
            var container = container("/pk");
            try (var relaxed = builder().consistencyLevel(weaker).buildClient()) {
                var same = relaxed.getDatabase(database.getId()).getContainer(container.getId());
                same.createItem(json("{'id':'1','pk':'a'}"));
                assertThat(read(same, "1", key("a")).path("id").textValue()).isEqualTo("1");
            }
        }
    }

    @Test
    void aClientMayNotAskForStrongerConsistency() {
        assertRefused(400, () -> {
            try (var strict =
                    builder().consistencyLevel(ConsistencyLevel.STRONG).buildClient()) {
                strict.getDatabase(database.getId()).read();
                var container = container("/pk");
                strict.getDatabase(database.getId())
                        .getContainer(container.getId())
                        .readItem("none", key("a"), ObjectNode.class);
            }
        });
    }

    private static List<String> addresses(JsonNode account) {
        var addresses = account.findValuesAsText("databaseAccountEndpoint");
        assertThat(addresses).hasSizeGreaterThanOrEqualTo(2);
        return addresses;
    }
}
