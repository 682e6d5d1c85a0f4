package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.example.blog.Consumers.Settings;
import dev.orrery.example.blog.Consumers.Start;
import dev.orrery.example.blog.Consumers.Takeover;
import dev.orrery.example.common.LocalServer;
import dev.orrery.store.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's advice on the first data model is what the later ones do. */
class AdvisorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNITS_FOR_THREE_PARTITIONS = 18_000;
    private static final int USERS = 18;
    private static final int POSTS_OF_USER = 3;
    private static final int COMMENTS = 4;
    private static final int LIKES = 6;
    private static final int CALLS = 40;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Set<String> OF_THE_APPLICATION = Set.of(BlogSchema.USERS, BlogSchema.POSTS, BlogSchema.FEED);

    private static final Set<String> OF_LATER_MODELS =
            Set.of("repeated-count", "repeated-lookup", "fan-out", "gathered-list");

    @TempDir
    Path folder;

    @Test
    void theFirstModelIsAdvisedToBecomeTheThird() throws IOException, InterruptedException {
        try (var server = server();
                var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            use(client, Version.V1);

            var findings = findings(server, "V1");
            assertThat(findings)
                    .as("V2: counts in the post")
                    .anyMatch(finding -> is(finding, "repeated-count", "posts", "commentCount", "/postId"))
                    .anyMatch(finding -> is(finding, "repeated-count", "posts", "likeCount", "/postId"));
            assertThat(findings)
                    .as("V2: user names in posts, comments and likes")
                    .anyMatch(finding -> is(
                            finding,
                            "repeated-lookup",
                            "posts",
                            "userId",
                            "'comment'",
                            "'like'",
                            "'post'",
                            "'users'",
                            "username"));
            assertThat(findings)
                    .as("V3: a copy of the posts by user")
                    .anyMatch(finding -> is(
                            finding,
                            "fan-out",
                            "posts",
                            "partition key /userId",
                            "SELECT * FROM c WHERE c.type = 'post'"));
            assertThat(findings)
                    .as("V3: a small container for the front page")
                    .anyMatch(finding -> is(
                            finding,
                            "gathered-list",
                            "posts",
                            "The first 100 items",
                            "/creationDate",
                            "small container"));
            assertThat(findings)
                    .allSatisfy(finding -> assertThat(finding.path("before").doubleValue())
                            .isGreaterThan(finding.path("after").doubleValue()));

            assertThat(advise(server, "--database", "V1"))
                    .contains("V1/posts: ", "RU for each call", "RU less for the ");
            assertThat(advise(server, "--database", "V1", "--queries"))
                    .contains("SELECT VALUE COUNT(1) FROM p WHERE p.postId = @postId AND p.type = @type");
            client.account().createDatabase("other");
            assertThat(advise(server, "--database", "other"))
                    .contains("Nobody has asked anything of a database 'other'");
        }
    }

    @Test
    void theThirdModelIsNot() throws IOException, InterruptedException {
        try (var server = server();
                var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            use(client, Version.V3);

            assertThat(findings(server, "V3"))
                    .filteredOn(finding -> OF_THE_APPLICATION.contains(text(finding, "container")))
                    .filteredOn(finding -> OF_LATER_MODELS.contains(text(finding, "kind")))
                    .isEmpty();
        }
    }

    private LocalServer server() {
        return LocalServer.start(home(), folder.resolve("server.log"), "--memory");
    }

    private static Path home() {
        return Path.of(System.getProperty("orrery.home"));
    }

    // ---- what an application does ----

    private static void use(BlogClient client, Version version) {
        var database = client.account().createDatabase(version.name());
        BlogSchema.create(database, version, UNITS_FOR_THREE_PARTITIONS);
        var blog = version.open(database);
        if (version == Version.V1) {
            read(blog, write(blog));
            return;
        }
        var settings = new Settings("host", Takeover.LATE, Start.BEGINNING, Start.BEGINNING, Duration.ofMillis(50));
        try (var _ = Consumers.start(client, version.name(), version, settings)) {
            var posts = write(blog);
            var last = posts.getLast();
            Await.noComplaints(() ->
                    blog.feed().value().stream().anyMatch(post -> post.id().equals(last.id()))
                            ? List.of()
                            : List.of("the feed lacks the last post"));
            read(blog, posts);
        }
    }

    private static List<Post> write(BlogPlatform blog) {
        var users = IntStream.range(0, USERS)
                .mapToObj(i -> User.of("user-" + i, "name of user " + i))
                .toList();
        users.forEach(blog::saveUser);
        var posts = new ArrayList<Post>();
        for (int i = 0; i < USERS * POSTS_OF_USER; i++) {
            var post = Post.by(
                    users.get(i % USERS), "post-" + i, "title " + i, "content ".repeat(40), START.plusSeconds(i));
            blog.createPost(post);
            for (int j = 0; j < COMMENTS; j++) {
                blog.createComment(Comment.by(
                        users.get((i + j) % USERS),
                        post.id(),
                        "comment-" + i + "-" + j,
                        "well said",
                        START.plusSeconds(j)));
            }
            for (int j = 0; j < LIKES; j++) {
                blog.createLike(Like.by(
                        users.get((i * 5 + j) % USERS), post.id(), "like-" + i + "-" + j, START.plusSeconds(j)));
            }
            posts.add(post);
        }
        return posts;
    }

    private static void read(BlogPlatform blog, List<Post> posts) {
        var random = new Random(8);
        for (int i = 0; i < CALLS; i++) {
            blog.post(posts.get(random.nextInt(posts.size())).id());
            blog.comments(posts.get(random.nextInt(posts.size())).id());
            blog.likes(posts.get(random.nextInt(posts.size())).id());
            blog.postsOf(posts.get(random.nextInt(posts.size())).userId());
            blog.feed();
        }
        for (int i = 0; i < CALLS; i++) {
            blog.user("user-" + random.nextInt(USERS));
        }
    }

    // ---- what the server says ----

    private static List<JsonNode> findings(LocalServer server, String database)
            throws IOException, InterruptedException {
        var advice = JSON.readTree(advise(server, "--json", "--database", database));
        return StreamSupport.stream(advice.path("findings").spliterator(), false)
                .toList();
    }

    private static boolean is(JsonNode finding, String kind, String container, String... words) {
        var said = finding.toString().replace("\\\"", "\"");
        return text(finding, "kind").equals(kind)
                && text(finding, "container").equals(container)
                && List.of(words).stream().allMatch(said::contains);
    }

    private static String text(JsonNode finding, String name) {
        return finding.path(name).textValue();
    }

    private static String advise(LocalServer server, String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                home().resolve("orrery").toString(),
                "advise",
                "--endpoint",
                server.endpoint().toString()));
        command.addAll(List.of(options));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ORRERY_NO_BUILD", "1");
        builder.environment().put("ORRERY_JAVA", System.getProperty("java.home"));
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }
}
