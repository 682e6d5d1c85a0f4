package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Delivery.Write;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A reader by the pull model who follows a whole container, and who comes again after a refusal. */
final class PullFollower implements AutoCloseable {
    private static final int PAGE_SIZE = 50;
    private static final int POLL_DELAY_MILLIS = 50;

    private final CosmosContainer container;
    private final Delivery delivery;
    private final Thread thread;
    private volatile boolean stopped;
    private final List<CosmosException> refusals = new CopyOnWriteArrayList<>();
    private String continuation;

    private PullFollower(CosmosContainer container, Delivery delivery) {
        this.container = container;
        this.delivery = delivery;
        this.thread = Thread.ofPlatform().daemon().unstarted(this::follow);
    }

    static PullFollower start(CosmosContainer container, Delivery delivery) {
        var follower = new PullFollower(container, delivery);
        follower.thread.start();
        return follower;
    }

    private void follow() {
        while (!stopped) {
            try {
                readAllThatIsNew();
            } catch (CosmosException refusal) {
                refusals.add(refusal);
            }
            Await.pause(POLL_DELAY_MILLIS, "a poll without changes costs as much as any");
        }
    }

    private void readAllThatIsNew() {
        var options = continuation == null
                ? CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange())
                : CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation);
        var pages = container
                .queryChangeFeed(options.setMaxItemCount(PAGE_SIZE), ObjectNode.class)
                .iterableByPage();
        for (var page : pages) {
            delivery.add(
                    "pull",
                    page.getResults().stream()
                            .map(item -> new Write(
                                    item.path("pk").textValue(), item.path("n").intValue()))
                            .toList());
            continuation = page.getContinuationToken();
            if (stopped) {
                return;
            }
        }
    }

    List<CosmosException> refusals() {
        return refusals;
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
