package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Etags: a read that is not modified, a write that came too late. */
class ConditionalRequestsIT extends SdkSuite {
    private CosmosContainer container;
    private String current;
    private String outdated;

    @BeforeEach
    void writeTwice() {
        container = container("/pk");
        outdated = container.createItem(json("{'id':'1','pk':'a','n':1}")).getETag();
        current = container.upsertItem(json("{'id':'1','pk':'a','n':2}")).getETag();
    }

    @Test
    void anEtagIsQuotedAndChangesWithEveryWrite() {
        assertThat(current).matches("\"[^\"]+\"").isNotEqualTo(outdated);
        var again = container.upsertItem(json("{'id':'1','pk':'a','n':2}")).getETag();
        assertThat(again).isNotEqualTo(current);
    }

    @Test
    void aReadOfTheVersionOneHasIsNotModified() {
        var reread = container.readItem("1", key("a"), ifNoneMatch(current), ObjectNode.class);
        assertThat(reread.getStatusCode()).isEqualTo(304);
        assertThat(reread.getItem()).isNull();
        assertThat(reread.getRequestCharge()).isPositive();
        var changed = container.readItem("1", key("a"), ifNoneMatch(outdated), ObjectNode.class);
        assertThat(changed.getStatusCode()).isEqualTo(200);
        assertThat(changed.getItem().path("n").intValue()).isEqualTo(2);
    }

    @Test
    void aReplaceOfTheCurrentVersionSucceeds() {
        var replaced = container.replaceItem(json("{'id':'1','pk':'a','n':3}"), "1", key("a"), ifMatch(current));
        assertThat(replaced.getStatusCode()).isEqualTo(200);
        assertThat(replaced.getETag()).isNotEqualTo(current);
    }

    @Test
    void aWriteOfAnOldVersionIsRefused() {
        var item = json("{'id':'1','pk':'a','n':3}");
        var refusal = assertRefused(412, () -> container.replaceItem(item, "1", key("a"), ifMatch(outdated)));
        assertThat(refusal.getResponseHeaders()).containsKey("x-ms-session-token");
        assertRefused(412, () -> container.upsertItem(item, ifMatch(outdated)));
        assertRefused(412, () -> container.deleteItem("1", key("a"), ifMatch(outdated)));
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(2);
        container.deleteItem("1", key("a"), ifMatch(current));
    }

    @Test
    void aStarMatchesAnyVersion() {
        container.replaceItem(json("{'id':'1','pk':'a','n':3}"), "1", key("a"), ifMatch("*"));
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(3);
    }

    @Test
    void aConditionOnAMissingItemIsNotFound() {
        assertRefused(
                404, () -> container.replaceItem(json("{'id':'none','pk':'a'}"), "none", key("a"), ifMatch(current)));
        assertRefused(404, () -> container.deleteItem("none", key("a"), ifMatch(current)));
    }

    private static CosmosItemRequestOptions ifMatch(String etag) {
        return new CosmosItemRequestOptions().setIfMatchETag(etag);
    }

    private static CosmosItemRequestOptions ifNoneMatch(String etag) {
        return new CosmosItemRequestOptions().setIfNoneMatchETag(etag);
    }
}
