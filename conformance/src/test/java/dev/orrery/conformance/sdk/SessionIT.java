package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;

/** Session tokens: they grow with every write, travel between clients, and are never ahead of the server. */
class SessionIT extends SdkSuite {
    @Test
    void everyWriteMovesTheTokenForward() {
        var container = container("/pk");
        var last = 0L;
        for (var i = 0; i < 5; i++) {
            var token = container
                    .createItem(json("{'id':'%d','pk':'a'}".formatted(i)))
                    .getSessionToken();
            assertThat(lsn(token)).isGreaterThan(last);
            last = lsn(token);
        }
        var read = container.readItem("0", key("a"), ObjectNode.class);
        assertThat(lsn(read.getSessionToken())).isGreaterThanOrEqualTo(last);
    }

    @Test
    void aTokenTakenToAnotherClientReadsWhatTheFirstWrote() {
        var container = container("/pk");
        try (var second = builder().buildClient()) {
            var same = second.getDatabase(database.getId()).getContainer(container.getId());
            for (var i = 0; i < 20; i++) {
                var token = container
                        .upsertItem(json("{'id':'1','pk':'a','n':%d}".formatted(i)))
                        .getSessionToken();
                var read = same.readItem(
                        "1", key("a"), new CosmosItemRequestOptions().setSessionToken(token), ObjectNode.class);
                assertThat(read.getItem().path("n").intValue()).isEqualTo(i);
                assertThat(lsn(read.getSessionToken())).isGreaterThanOrEqualTo(lsn(token));
            }
        }
    }

    @Test
    void aTokenAheadOfTheServerIsNotAvailable() {
        var container = container("/pk");
        var token = container.createItem(json("{'id':'1','pk':'a'}")).getSessionToken();
        var ahead = token.substring(0, token.indexOf('#') + 1) + (lsn(token) + 1_000_000);
        assertRefused(
                404,
                1002,
                () -> container.readItem(
                        "1", key("a"), new CosmosItemRequestOptions().setSessionToken(ahead), ObjectNode.class));
    }

    @Test
    void aCompositeTokenCountsForItsOwnRangeOnly() {
        var container = container("/pk");
        var token = container.createItem(json("{'id':'1','pk':'a'}")).getSessionToken();
        var path = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs/1";
        var composite = wire().send(WireRequest.of("GET", path)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .header("x-ms-consistency-level", "Session")
                .header("x-ms-session-token", token + ",999:-1#123456789"));
        assertThat(composite.status()).as(composite.body()).isEqualTo(200);
        assertThat(composite.header("x-ms-session-token").orElseThrow()).doesNotContain(",");
    }

    private static long lsn(String token) {
        return Long.parseLong(token.substring(token.indexOf('#') + 1));
    }
}
