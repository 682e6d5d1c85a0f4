package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Time to live: an item whose time is over is gone for every request at once. */
@Execution(ExecutionMode.CONCURRENT) // Each test mostly waits.
class TimeToLiveIT extends SdkSuite {
    @Test
    void itemsExpireByTheContainersDefaultUnlessTheySayOtherwise() throws InterruptedException {
        var container = expiring(2);
        var written = Instant.now();
        container.createItem(json("{'id':'default','pk':'a'}"));
        container.createItem(json("{'id':'longer','pk':'a','ttl':600}"));
        container.createItem(json("{'id':'never','pk':'a','ttl':-1}"));
        assertThat(read(container, "default", key("a")).path("id").textValue()).isEqualTo("default");
        waitUntil(written.plusSeconds(4));
        assertRefused(404, () -> read(container, "default", key("a")));
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
    void aContainerWithoutADefaultExpiresOnlyItemsThatAskForIt() throws InterruptedException {
        var container = expiring(-1);
        var written = Instant.now();
        container.createItem(json("{'id':'short','pk':'a','ttl':1}"));
        container.createItem(json("{'id':'none','pk':'a'}"));
        waitUntil(written.plusSeconds(3));
        assertRefused(404, () -> read(container, "short", key("a")));
        assertThat(read(container, "none", key("a")).path("id").textValue()).isEqualTo("none");
    }

    @Test
    void aWriteStartsTheTimeAgain() throws InterruptedException {
        // Two seconds and more to spare either way, for machines that halt now and then.
        var container = expiring(6);
        container.createItem(json("{'id':'1','pk':'a'}"));
        var written = Instant.now();
        waitUntil(written.plusSeconds(3));
        container.upsertItem(json("{'id':'1','pk':'a','n':2}"));
        waitUntil(written.plusMillis(7_100));
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(2);
    }

    @Test
    void whereTimeToLiveIsOffAnItemsOwnTimeMeansNothing() throws InterruptedException {
        var container = container("/pk");
        var written = Instant.now();
        container.createItem(json("{'id':'1','pk':'a','ttl':1}"));
        waitUntil(written.plusSeconds(3));
        assertThat(read(container, "1", key("a")).path("ttl").intValue()).isEqualTo(1);
    }

    private CosmosContainer expiring(int seconds) {
        return container(new CosmosContainerProperties(freshName(), "/pk").setDefaultTimeToLiveInSeconds(seconds));
    }

    private static void waitUntil(Instant moment) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), moment).toMillis()));
    }
}
