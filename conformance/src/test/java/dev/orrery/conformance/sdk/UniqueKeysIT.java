package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unique keys hold within a partition key, for every way of writing. */
class UniqueKeysIT extends SdkSuite {
    private static final CosmosItemRequestOptions NO_OPTIONS = new CosmosItemRequestOptions();

    @Test
    void aValueMayAppearOncePerPartitionKey() {
        var container = unique("/mail");
        container.createItem(json("{'id':'1','pk':'a','mail':'x'}"));
        assertRefused(409, () -> container.createItem(json("{'id':'2','pk':'a','mail':'x'}")));
        container.createItem(json("{'id':'2','pk':'b','mail':'x'}"));
        container.createItem(json("{'id':'2','pk':'a','mail':'y'}"));
    }

    @Test
    void everyWayOfWritingIsChecked() {
        var container = unique("/mail");
        container.createItem(json("{'id':'1','pk':'a','mail':'x'}"));
        container.createItem(json("{'id':'2','pk':'a','mail':'y'}"));
        assertRefused(409, () -> container.upsertItem(json("{'id':'3','pk':'a','mail':'x'}")));
        assertRefused(409, () -> container.upsertItem(json("{'id':'2','pk':'a','mail':'x'}")));
        assertRefused(
                409, () -> container.replaceItem(json("{'id':'2','pk':'a','mail':'x'}"), "2", key("a"), NO_OPTIONS));
        var patch = CosmosPatchOperations.create().set("/mail", "x");
        assertRefused(409, () -> container.patchItem("2", key("a"), patch, ObjectNode.class));
        var batch = CosmosBatch.createCosmosBatch(key("a"));
        batch.createItemOperation(json("{'id':'4','pk':'a','mail':'z'}"));
        batch.createItemOperation(json("{'id':'5','pk':'a','mail':'z'}"));
        assertThat(container.executeCosmosBatch(batch).getStatusCode()).isEqualTo(409);
        container.createItem(json("{'id':'5','pk':'a','mail':'z'}"));
    }

    @Test
    void aValueIsFreeAgainWhenItsItemChangesOrGoes() {
        var container = unique("/mail");
        container.createItem(json("{'id':'1','pk':'a','mail':'x'}"));
        container.replaceItem(json("{'id':'1','pk':'a','mail':'y'}"), "1", key("a"), NO_OPTIONS);
        container.createItem(json("{'id':'2','pk':'a','mail':'x'}"));
        container.deleteItem("2", key("a"), NO_OPTIONS);
        container.createItem(json("{'id':'3','pk':'a','mail':'x'}"));
        container.replaceItem(json("{'id':'3','pk':'a','mail':'x','n':1}"), "3", key("a"), NO_OPTIONS);
    }

    @Test
    void aMissingValueCountsAsOneValue() {
        var container = unique("/mail");
        container.createItem(json("{'id':'1','pk':'a'}"));
        assertRefused(409, () -> container.createItem(json("{'id':'2','pk':'a'}")));
    }

    @Test
    void aKeyOfSeveralPathsComparesThemTogether() {
        var container = unique("/first", "/last/name");
        container.createItem(json("{'id':'1','pk':'a','first':'Ada','last':{'name':'L'}}"));
        container.createItem(json("{'id':'2','pk':'a','first':'Ada','last':{'name':'M'}}"));
        assertRefused(409, () -> container.createItem(json("{'id':'3','pk':'a','first':'Ada','last':{'name':'L'}}")));
        container.createItem(json("{'id':'3','pk':'a','first':'ada','last':{'name':'L'}}"));
    }

    private CosmosContainer unique(String... paths) {
        var policy = new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of(paths))));
        return container(new CosmosContainerProperties(freshName(), "/pk").setUniqueKeyPolicy(policy));
    }
}
