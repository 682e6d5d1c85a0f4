package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import dev.orrery.example.blog.Consumers.Settings;
import dev.orrery.example.blog.Consumers.Start;
import dev.orrery.example.blog.Consumers.Takeover;
import dev.orrery.example.common.LocalServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What many write at once fits together, in what they wrote and in all that follows from it. */
class ConsistencyIT {
    private static final int UNITS_FOR_TWO_PARTITIONS = 10_100;
    private static final int WRITERS = 6;
    private static final int WRITES = 400;
    private static final int WRITES_OF_A_FEW = 100;

    @TempDir
    static Path folder;

    private static LocalServer server;
    private static BlogClient client;

    @BeforeAll
    static void start() {
        server =
                LocalServer.start(Path.of(System.getProperty("orrery.home")), folder.resolve("server.log"), "--memory");
        client = new BlogClient(server.endpoint(), LocalServer.KEY);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void countsNamesAndViewsAreRightAndCanBeMadeAgainFromTheBeginning() {
        var database = create("blog", Version.V3);
        var audit = new Audit(database);
        try (var consumers = consume("live", database, Version.V3);
                var watch = FeedWatch.start(database);
                var writers = BlogWriters.start(WRITERS, Version.V3.open(database))) {
            writers.awaitMore(WRITES);
            writers.awaitFullFeed();
            writers.stop();
            assertWritten(audit, writers);
            assertThat(writers.posts()).hasSizeGreaterThan(BlogPlatform.FEED_POSTS_MAX);
            consumers.awaitDrained();
            assertThat(audit.viewComplaints()).isEmpty();
            assertThat(watch.stop()).as("the largest feed ever").isEqualTo(BlogPlatform.FEED_POSTS_MAX);
        }
        var copies = audit.copies();
        var feed = audit.feed();
        removeViews(database);
        assertThat(audit.copies()).isEmpty();
        try (var watch = FeedWatch.start(database);
                var consumers = consume("late", database, Version.V3)) {
            consumers.awaitDrained();
            assertThat(audit.copies()).isEqualTo(copies);
            assertThat(audit.feed()).isEqualTo(feed);
            assertThat(audit.viewComplaints()).isEmpty();
            assertThat(watch.stop()).as("the largest feed ever").isEqualTo(BlogPlatform.FEED_POSTS_MAX);
        }
    }

    /** When consumers begin that make the second data model of what writers of the first one leave. */
    enum Beginning {
        AFTER_THE_LAST_WRITE,
        BETWEEN_WRITES
    }

    @ParameterizedTest
    @EnumSource
    void whatTheFirstModelWroteBecomesWhatTheSecondHasWrittenMeanwhile(Beginning beginning) {
        var earlier = create("earlier-" + beginning, Version.V2);
        var later = create("later-" + beginning, Version.V2);
        try (var live = consume("live", later, Version.V2);
                var writers = BlogWriters.start(WRITERS, new BlogV1(earlier), new BlogV2(later))) {
            writers.awaitMore(WRITES_OF_A_FEW);
            if (beginning == Beginning.AFTER_THE_LAST_WRITE) {
                writers.stop();
            }
            try (var late = consume("late", earlier, Version.V2)) {
                if (beginning == Beginning.BETWEEN_WRITES) {
                    late.awaitReady();
                    writers.awaitMore(WRITES_OF_A_FEW);
                    writers.stop();
                }
                live.awaitDrained();
                assertWritten(new Audit(later), writers);
                assertThat(new Audit(later).nameComplaints()).isEmpty();
                late.awaitDrained();
                assertWritten(new Audit(earlier), writers);
                assertThat(new Audit(earlier).nameComplaints()).isEmpty();
                assertThat(new Audit(earlier).posts()).isEqualTo(new Audit(later).posts());
            }
        }
    }

    private static CosmosDatabase create(String name, Version version) {
        var database = client.account().createDatabase(name);
        BlogSchema.create(database, version, UNITS_FOR_TWO_PARTITIONS);
        return database;
    }

    private static Consumers consume(String host, CosmosDatabase database, Version version) {
        var settings = new Settings(host, Takeover.LATE, Start.BEGINNING, Start.BEGINNING, ConsumerProcess.POLL_DELAY);
        return Consumers.start(client, database.getId(), version, settings);
    }

    /** All that was acknowledged is there, nothing else is, and it was counted. */
    private static void assertWritten(Audit audit, BlogWriters writers) {
        assertThat(audit.countComplaints()).isEmpty();
        assertThat(audit.ids(Post.TYPE)).isEqualTo(writers.posts());
        assertThat(audit.ids(Comment.TYPE)).isEqualTo(writers.comments());
        assertThat(audit.ids(Like.TYPE)).isEqualTo(writers.likes());
    }

    /** Removes the views, and with the leases all that is known on how far they had come. */
    private static void removeViews(CosmosDatabase database) {
        remove(database, BlogSchema.USERS, "SELECT c.id, c.userId AS key FROM c WHERE c.type = 'post'");
        remove(database, BlogSchema.FEED, "SELECT c.id, c.type AS key FROM c");
        remove(database, BlogSchema.LEASES, "SELECT c.id, c.id AS key FROM c");
    }

    private static void remove(CosmosDatabase database, String name, String query) {
        var container = database.getContainer(name);
        for (var found : container.queryItems(query, new CosmosQueryRequestOptions(), Found.class)) {
            container.deleteItem(found.id(), new PartitionKey(found.key()), new CosmosItemRequestOptions());
        }
    }

    private record Found(String id, String key) {}
}
