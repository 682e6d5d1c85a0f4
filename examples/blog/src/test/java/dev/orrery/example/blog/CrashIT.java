package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.common.LocalServer;
import dev.orrery.store.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither the death of a consumer nor that of the server shows in what the platform holds. */
class CrashIT {
    private static final int UNITS_FOR_TWO_PARTITIONS = 10_100;
    private static final int WRITERS = 4;
    private static final int WRITES = 60;

    @TempDir
    Path folder;

    @Test
    void killsInBetweenChangeNothing() {
        try (var server = LocalServer.start(
                        Path.of(System.getProperty("orrery.home")),
                        folder.resolve("server.log"),
                        "--data",
                        folder.resolve("data").toString());
                var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            var database = client.account().createDatabase("blog");
            BlogSchema.create(database, Version.V3, UNITS_FOR_TWO_PARTITIONS);
            var audit = new Audit(database);
            try (var first = ConsumerProcess.start(server.endpoint(), "blog", "first");
                    var watch = FeedWatch.start(database);
                    var writers = BlogWriters.start(WRITERS, Version.V3.open(database))) {
                Await.noComplaints(() -> audit.copies().isEmpty() ? List.of("no view yet") : List.of());
                writers.awaitFullFeed();
                server.kill();
                server.restart();
                writers.awaitMore(WRITES);
                first.kill();
                try (var _ = ConsumerProcess.start(server.endpoint(), "blog", "second")) {
                    writers.awaitMore(WRITES);
                    writers.stop();

                    assertThat(audit.countComplaints()).isEmpty();
                    assertThat(audit.ids(Post.TYPE)).isEqualTo(writers.posts());
                    assertThat(audit.ids(Comment.TYPE)).isEqualTo(writers.comments());
                    assertThat(audit.ids(Like.TYPE)).isEqualTo(writers.likes());
                    Await.noComplaints(audit::viewComplaints);
                    assertThat(writers.posts()).hasSizeGreaterThan(BlogPlatform.FEED_POSTS_MAX);
                    assertThat(watch.stop()).as("the largest feed ever").isEqualTo(BlogPlatform.FEED_POSTS_MAX);
                }
            }
        }
    }
}
