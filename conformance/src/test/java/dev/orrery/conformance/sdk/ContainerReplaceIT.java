package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replacing a container: some of its definition may change, the rest is fixed for its life. */
class ContainerReplaceIT extends SdkSuite {
    @Test
    void theIndexingPolicyMayChange() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a'}"));
        var properties = container.read().getProperties();
        properties.getIndexingPolicy().setExcludedPaths(List.of(new ExcludedPath("/secret/*")));
        var replaced = container.replace(properties);
        assertThat(replaced.getStatusCode()).isEqualTo(200);
        assertThat(container.read().getProperties().getIndexingPolicy().getExcludedPaths())
                .extracting(ExcludedPath::getPath)
                .contains("/secret/*");
        assertThat(read(container, "1", key("a")).path("id").textValue()).isEqualTo("1");
    }

    @Test
    void timeToLiveMayBeSwitchedOnChangedAndOff() {
        var container = container("/pk");
        for (var seconds : new Integer[] {-1, 600, 5, null}) {
            var properties = container.read().getProperties().setDefaultTimeToLiveInSeconds(seconds);
            container.replace(properties);
            assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds())
                    .isEqualTo(seconds);
        }
    }

    @Test
    void theResourceIdStaysAndTheEtagChanges() {
        var container = container("/pk");
        var before = container.read().getProperties();
        container.replace(container.read().getProperties().setDefaultTimeToLiveInSeconds(-1));
        var after = container.read().getProperties();
        assertThat(after.getResourceId()).isEqualTo(before.getResourceId());
        assertThat(after.getETag()).isNotEqualTo(before.getETag());
    }

    @Test
    void thePartitionKeyMayNotChange() {
        var container = container("/pk");
        var properties = container.read().getProperties();
        properties.setPartitionKeyDefinition(new PartitionKeyDefinition().setPaths(List.of("/other")));
        assertRefused(400, () -> container.replace(properties));
    }

    @Test
    void theIdMayNotChange() {
        var container = container("/pk");
        var renamed = container.read().getProperties().setId(freshName());
        assertRefused(400, () -> container.replace(renamed));
        assertThat(container.read().getProperties().getId()).isEqualTo(container.getId());
    }

    @Test
    void uniqueKeysMayNotBeAddedRemovedOrChanged() {
        var plain = container("/pk");
        var keys = new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/mail"))));
        var withKeys = plain.read().getProperties().setUniqueKeyPolicy(keys);
        assertRefused(400, () -> plain.replace(withKeys));

        var unique = container(new CosmosContainerProperties(freshName(), "/pk").setUniqueKeyPolicy(keys));
        var others = new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/name"))));
        var changed = unique.read().getProperties().setUniqueKeyPolicy(others);
        assertRefused(400, () -> unique.replace(changed));
        unique.replace(unique.read().getProperties().setDefaultTimeToLiveInSeconds(-1));
    }

    @Test
    void aReplaceWithAnOldEtagIsRefused() {
        var container = container("/pk");
        var old = container.read().getProperties();
        container.replace(container.read().getProperties().setDefaultTimeToLiveInSeconds(-1));
        var options = new CosmosContainerRequestOptions().setIfMatchETag(old.getETag());
        assertRefused(412, () -> container.replace(old, options));
        assertThat(container.read().getProperties().getDefaultTimeToLiveInSeconds())
                .isEqualTo(-1);
    }
}
