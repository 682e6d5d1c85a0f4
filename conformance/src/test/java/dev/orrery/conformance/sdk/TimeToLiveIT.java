package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Time to live: an item whose time is over is gone for every request at once, and none goes before its time. */
class TimeToLiveIT extends SdkSuite {
    @Test
    void itemsExpireByTheContainersDefaultUnlessTheySayOtherwise() {
        var container = expiring(1);
        long written = create(container, "{'id':'default','pk':'a'}");
        create(container, "{'id':'longer','pk':'a','ttl':600}");
        create(container, "{'id':'never','pk':'a','ttl':-1}");
        assertGoesNotBefore(container, "default", written + 1);
        assertThat(read(container, "longer", key("a")).path("ttl").intValue()).isEqualTo(600);
        assertThat(read(container, "never", key("a")).path("ttl").intValue()).isEqualTo(-1);
        assertThat(container.readAllItems(key("a"), ObjectNode.class))
                .extracting(item -> item.path("id").textValue())
                .containsExactlyInAnyOrder("longer", "never");
        var both = List.of(new CosmosItemIdentity(key("a"), "default"), new CosmosItemIdentity(key("a"), "never"));
        assertThat(container.readMany(both, ObjectNode.class).getResults()).hasSize(1);
        assertThat(container
                        .createItem(json("{'id':'default','pk':'a','ttl':-1}"))
                        .getStatusCode())
                .isEqualTo(201);
    }

    @Test
    void aContainerWithoutADefaultExpiresOnlyItemsThatAskForIt() {
        var container = expiring(-1);
        create(container, "{'id':'none','pk':'a'}");
        long written = create(container, "{'id':'short','pk':'a','ttl':1}");
        assertGoesNotBefore(container, "short", written + 1);
        assertThat(read(container, "none", key("a")).path("id").textValue()).isEqualTo("none");
    }

    @Test
    void aWriteStartsTheTimeAgain() {
        var container = expiring(2);
        long first = create(container, "{'id':'1','pk':'a'}");
        awaitClock(first + 1);
        long second = container
                .upsertItem(json("{'id':'1','pk':'a','n':2}"))
                .getItem()
                .path("_ts")
                .longValue();
        assertThat(second).isGreaterThan(first);
        assertGoesNotBefore(container, "1", second + 2);
    }

    @Test
    void whereTimeToLiveIsOffAnItemsOwnTimeMeansNothing() {
        var container = container("/pk");
        long written = create(container, "{'id':'1','pk':'a','ttl':1}");
        awaitClock(written + 2);
        assertThat(read(container, "1", key("a")).path("ttl").intValue()).isEqualTo(1);
    }

    private CosmosContainer expiring(int seconds) {
        return container(new CosmosContainerProperties(freshName(), "/pk").setDefaultTimeToLiveInSeconds(seconds));
    }

    /** Tells the second in which the server has written it. */
    private static long create(CosmosContainer container, String item) {
        return container.createItem(json(item)).getItem().path("_ts").longValue();
    }

    private static void awaitClock(long second) {
        Await.until("time passes", () -> Instant.now().getEpochSecond() >= second);
    }

    /** However long it takes until anybody looks: an item that is gone had its time. */
    private static void assertGoesNotBefore(CosmosContainer container, String id, long second) {
        Await.until("the item goes", () -> isGone(container, id));
        assertThat(Instant.now().getEpochSecond()).isGreaterThanOrEqualTo(second);
    }

    private static boolean isGone(CosmosContainer container, String id) {
        try {
            read(container, id, key("a"));
            return false;
        } catch (CosmosException refusal) {
            assertThat(refusal.getStatusCode()).isEqualTo(404);
            return true;
        }
    }
}
