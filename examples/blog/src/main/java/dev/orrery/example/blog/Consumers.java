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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

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

    /**
     * How consumers go about it.
     *
     * @param host a name that no other host has
     * @param names where to begin with names, which a load in bulk may have written right
     * @param views where to begin with copies of posts
     * @param pollDelay how long to wait after there was nothing new
     */
    public record Settings(String host, Takeover takeover, Start names, Start views, Duration pollDelay) {}

    private static final Duration ACQUIRE_INTERVAL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration DRAIN_MAX = Duration.ofMinutes(10);
    private static final int PAGE_ITEMS = 1_000;
    private static final int LOOK_AGAIN_MILLIS = 50;

    private final BlogClient client;
    private final String database;
    private final Settings settings;
    private final Usernames usernames;
    private final AtomicLong copied = new AtomicLong();
    private final List<ChangeFeedProcessor> processors = new ArrayList<>();

    private Consumers(BlogClient client, String database, Settings settings) {
        this.client = client;
        this.database = database;
        this.settings = settings;
        this.usernames = new Usernames(client.database(database));
    }

    /** Starts those that a version needs. */
    public static Consumers start(BlogClient client, String database, Version version, Settings settings) {
        var consumers = new Consumers(client, database, settings);
        if (version != Version.V1) {
            consumers.add("renames", BlogSchema.USERS, settings.names(), consumers.usernames::rename);
            consumers.add("names", BlogSchema.POSTS, settings.names(), consumers.usernames::check);
        }
        if (version == Version.V3) {
            var copies = new PostViews(client.database(database));
            consumers.add("views", BlogSchema.POSTS, settings.views(), changes -> {
                copies.copy(changes);
                consumers.copied.addAndGet(changes.size());
            });
        }
        return consumers;
    }

    private void add(String duty, String container, Start start, Consumer<List<JsonNode>> handler) {
        CosmosAsyncDatabase streamed = client.streamed(database);
        var processor = new ChangeFeedProcessorBuilder()
                .hostName(settings.host())
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
                .setFeedPollDelay(settings.pollDelay())
                .setLeaseAcquireInterval(ACQUIRE_INTERVAL)
                .setLeaseRenewInterval(settings.takeover().renewal)
                .setLeaseExpirationInterval(settings.takeover().expiration);
    }

    /** How many changes of posts, comments and likes this host has seen to for the views. */
    public long copied() {
        return copied.get();
    }

    /** How many items this host has given another name. */
    public long renamed() {
        return usernames.updated();
    }

    /** Waits until every partition is followed from some place on: with {@link Start#NOW}, what is written before is missed. */
    public void awaitReady() {
        await(() -> states().allMatch(lease -> lease.getHostName() != null && lease.getEstimatedLag() >= 0));
    }

    /** Waits until all that was written before has been seen to, and all that came of it. */
    public void awaitDrained() {
        // One after the other, as one causes the next: renames change posts, which are copied into views.
        processors.forEach(processor -> await(() -> lag(processor) == 0));
    }

    private Stream<ChangeFeedProcessorState> states() {
        return processors.stream().flatMap(processor -> processor.getCurrentState().block(PATIENCE).stream());
    }

    private static long lag(ChangeFeedProcessor processor) {
        return processor.getCurrentState().block(PATIENCE).stream()
                .mapToLong(lease -> Math.abs(lease.getEstimatedLag())) // -1 means unknown
                .sum();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + DRAIN_MAX.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("the consumers have not finished in " + DRAIN_MAX);
                }
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while consumers were at work", interrupted);
        }
    }

    @Override
    public void close() {
        processors.forEach(processor -> processor.stop().block(PATIENCE));
    }
}
