package dev.orrery.conformance.sdk;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A reader of changes by the pull model, who goes on where he stopped. */
final class ChangePull {
    private static final int PAGE_SIZE = 100;

    private final CosmosContainer container;
    private final boolean allVersions;
    private CosmosChangeFeedRequestOptions next;
    private int pageSize = PAGE_SIZE;
    private String continuation;

    private ChangePull(CosmosContainer container, CosmosChangeFeedRequestOptions first, boolean allVersions) {
        this.container = container;
        this.next = first;
        this.allVersions = allVersions;
    }

    static ChangePull fromBeginning(CosmosContainer container, FeedRange range) {
        return latest(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range));
    }

    static ChangePull fromNow(CosmosContainer container, FeedRange range) {
        return latest(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(range));
    }

    static ChangePull fromTime(CosmosContainer container, FeedRange range, Instant time) {
        return latest(container, CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(time, range));
    }

    static ChangePull fromContinuation(CosmosContainer container, String continuation) {
        return latest(container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation));
    }

    private static ChangePull latest(CosmosContainer container, CosmosChangeFeedRequestOptions options) {
        return new ChangePull(container, options, false);
    }

    /** All versions, also of what is deleted, from now on: no item of before comes. */
    static ChangePull allVersions(CosmosContainer container, FeedRange range) {
        var first = CosmosChangeFeedRequestOptions.createForProcessingFromNow(range);
        var pull = new ChangePull(container, first, true);
        pull.drain();
        return pull;
    }

    ChangePull withPageSize(int items) {
        pageSize = items;
        return this;
    }

    /** Where to go on, for another reader. */
    String continuation() {
        return continuation;
    }

    /** Everything that is new, page by page; the last page, which says that nothing is new, is left out. */
    List<List<ObjectNode>> pages() {
        var pages = new ArrayList<List<ObjectNode>>();
        next.setMaxItemCount(pageSize);
        if (allVersions) {
            next.allVersionsAndDeletes();
        }
        for (var page : container.queryChangeFeed(next, ObjectNode.class).iterableByPage()) {
            continuation = page.getContinuationToken();
            if (!page.getResults().isEmpty()) {
                pages.add(List.copyOf(page.getResults()));
            }
        }
        next = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
        return pages;
    }

    List<ObjectNode> drain() {
        return pages().stream().flatMap(List::stream).toList();
    }

    List<String> ids() {
        return drain().stream().map(item -> item.path("id").textValue()).toList();
    }
}
