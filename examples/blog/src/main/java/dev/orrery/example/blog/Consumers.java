package dev.orrery.example.blog;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.ChangeFeedProcessorState;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The change feed processors of a version, on one host of them; several hosts share the work. */
public final class Consumers implements AutoCloseable {
    /** How soon others take over from a host that has died. */
    public enum Takeover {
        /** For hosts that stay. */
        LATE(Duration.ofMinutes(5), Duration.ofMinutes(10)),
        SOON(Duration.ofSeconds(1), Duration.ofSeconds(3));

        private final Duration renewal;
        private final Duration expiration;

        Takeover(Duration renewal, Duration expiration) {
            this.renewal = renewal;
            this.expiration = expiration;
        }
    }

    /** Which changes a consumer begins with when nobody has consumed any before. */
    public enum Start {
        BEGINNING,
        NOW
    }

    private static final Duration POLL_DELAY = Duration.ofMillis(50);
    private static final Duration ACQUIRE_INTERVAL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PAGE_ITEMS = 1_000;

    private final BlogClient client;
    private final String database;
    private final String host;
    private final Takeover takeover;
    private final Usernames usernames;
    private final AtomicLong copied = new AtomicLong();
    private final List<ChangeFeedProcessor> processors = new ArrayList<>();

    private Consumers(BlogClient client, String database, String host, Takeover takeover) {
        this.client = client;
        this.database = database;
        this.host = host;
        this.takeover = takeover;
        this.usernames = new Usernames(client.database(database));
    }

    /**
     * Starts those that a version needs.
     *
     * @param names where to begin with names, which a load in bulk may have written right
     * @param views where to begin with copies of posts
     */
    public static Consumers start(
            BlogClient client,
            String database,
            Version version,
            String host,
            Takeover takeover,
            Start names,
            Start views) {
        var consumers = new Consumers(client, database, host, takeover);
        if (version != Version.V1) {
            consumers.add("renames", BlogSchema.USERS, names, consumers.usernames::rename);
            consumers.add("names", BlogSchema.POSTS, names, consumers.usernames::check);
        }
        if (version == Version.V3) {
            var copies = new PostViews(client.database(database));
            consumers.add("views", BlogSchema.POSTS, views, changes -> {
                copies.copy(changes);
                consumers.copied.addAndGet(changes.size());
            });
        }
        return consumers;
    }

    private void add(String duty, String container, Start start, Consumer<List<JsonNode>> handler) {
        CosmosAsyncDatabase streamed = client.streamed(database);
        var processor = new ChangeFeedProcessorBuilder()
                .hostName(host)
                .feedContainer(streamed.getContainer(container))
                .leaseContainer(streamed.getContainer(BlogSchema.LEASES))
                .options(options(duty, start))
                .handleLatestVersionChanges(changes -> handler.accept(changes.stream()
                        .map(ChangeFeedProcessorItem::getCurrent)
                        .toList()))
                .buildChangeFeedProcessor();
        processor.start().block(PATIENCE);
        processors.add(processor);
    }

    private ChangeFeedProcessorOptions options(String duty, Start start) {
        return new ChangeFeedProcessorOptions()
                .setLeasePrefix(duty)
                .setStartFromBeginning(start == Start.BEGINNING)
                .setMaxItemCount(PAGE_ITEMS)
                .setFeedPollDelay(POLL_DELAY)
                .setLeaseAcquireInterval(ACQUIRE_INTERVAL)
                .setLeaseRenewInterval(takeover.renewal)
                .setLeaseExpirationInterval(takeover.expiration);
    }

    /** How many changes of posts, comments and likes this host has seen to for the views. */
    public long copied() {
        return copied.get();
    }

    /** How many items this host has given another name. */
    public long renamed() {
        return usernames.updated();
    }

    /** How many changes wait for all hosts together, by the SDK's own estimate. */
    public long lag() {
        return processors.stream()
                .flatMap(processor -> processor.getCurrentState().block(PATIENCE).stream())
                .mapToLong(ChangeFeedProcessorState::getEstimatedLag)
                .sum();
    }

    @Override
    public void close() {
        processors.forEach(processor -> processor.stop().block(PATIENCE));
    }
}
