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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What many write at once fits together, in what they wrote and in all that follows from it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConsistencyIT {
    private static final int UNITS_FOR_TWO_PARTITIONS = 10_100;
    private static final int WRITERS = 6;
    private static final int WRITES = 400;
    private static final int LOOKS = 10;

    @TempDir
    Path folder;

    @Test
    void countsNamesAndViewsAreRightAndCanBeMadeAgainFromTheBeginning() {
        try (var server = LocalServer.start(
                        Path.of(System.getProperty("orrery.home")), folder.resolve("server.log"), "--memory");
                var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            var database = client.account().createDatabase("blog");
            BlogSchema.create(database, Version.V3, UNITS_FOR_TWO_PARTITIONS);
            var audit = new Audit(database);
            try (var consumers = consume(client, "live");
                    var writers = Writers.start(Version.V3.open(database), WRITERS)) {
                for (int look = 0; look < LOOKS; look++) {
                    writers.awaitMore(WRITES / LOOKS);
                    assertThat(audit.feed()).hasSizeLessThanOrEqualTo(BlogPlatform.FEED_POSTS_MAX);
                }
                writers.stop();
                assertThat(audit.countComplaints()).isEmpty();
                assertThat(audit.ids(Post.TYPE)).isEqualTo(writers.posts());
                assertThat(audit.ids(Comment.TYPE)).isEqualTo(writers.comments());
                assertThat(audit.ids(Like.TYPE)).isEqualTo(writers.likes());
                assertThat(writers.posts()).hasSizeGreaterThan(BlogPlatform.FEED_POSTS_MAX);
                consumers.awaitDrained();
                assertThat(audit.viewComplaints()).isEmpty();
            }
            var copies = audit.copies();
            var feed = audit.feed();
            removeViews(database);
            assertThat(audit.copies()).isEmpty();
            try (var consumers = consume(client, "late")) {
                consumers.awaitDrained();
                assertThat(audit.copies()).isEqualTo(copies);
                assertThat(audit.feed()).isEqualTo(feed);
                assertThat(audit.viewComplaints()).isEmpty();
            }
        }
    }

    private static Consumers consume(BlogClient client, String host) {
        var settings = new Settings(host, Takeover.LATE, Start.BEGINNING, Start.BEGINNING, ConsumerProcess.POLL_DELAY);
        return Consumers.start(client, "blog", Version.V3, settings);
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
