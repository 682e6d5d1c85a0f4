package dev.orrery.conformance.regions;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The change feed of all versions, as one region tells it. */
final class AllVersions {
    private AllVersions() {}

    /** A place to go on from later. */
    static String now(CosmosContainer container) {
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange())
                .allVersionsAndDeletes();
        String place = "";
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            place = page.getContinuationToken();
        }
        return place;
    }

    /** What has changed since. */
    static List<JsonNode> since(CosmosContainer container, String place) {
        var changes = new ArrayList<JsonNode>();
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(place)
                .allVersionsAndDeletes();
        for (var page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
            changes.addAll(page.getResults());
        }
        return changes;
    }
}
