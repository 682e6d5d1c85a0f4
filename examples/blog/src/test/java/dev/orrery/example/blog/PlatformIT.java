package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.example.blog.Consumers.Settings;
import dev.orrery.example.blog.Consumers.Start;
import dev.orrery.example.blog.Consumers.Takeover;
import dev.orrery.example.common.LocalServer;
import dev.orrery.store.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Every request gives the same in every version. */
class PlatformIT {
    private static final int UNITS_FOR_THREE_PARTITIONS = 18_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    static Path folder;

    private static LocalServer server;
    private static BlogClient client;
    private static final Map<Version, BlogPlatform> PLATFORMS = new EnumMap<>(Version.class);
    private static final Map<Version, Consumers> CONSUMERS = new EnumMap<>(Version.class);

    @BeforeAll
    static void start() {
        server =
                LocalServer.start(Path.of(System.getProperty("orrery.home")), folder.resolve("server.log"), "--memory");
        client = new BlogClient(server.endpoint(), LocalServer.KEY);
        for (var version : Version.values()) {
            var database = create(version.name(), version);
            PLATFORMS.put(version, version.open(database));
            CONSUMERS.put(
                    version,
                    Consumers.start(
                            client,
                            version.name(),
                            version,
                            new Settings(
                                    "host", Takeover.LATE, Start.BEGINNING, Start.BEGINNING, Duration.ofMillis(100))));
        }
    }

    private static CosmosDatabase create(String name, Version version) {
        var database = client.account().createDatabase(name);
        BlogSchema.create(database, version, UNITS_FOR_THREE_PARTITIONS);
        return database;
    }

    @AfterAll
    static void stop() {
        CONSUMERS.values().forEach(Consumers::close);
        client.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void whatCommandsWriteQueriesFind(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var bob = newUser(blog, "bob");
        var first = newPost(blog, ada, 1);
        var second = newPost(blog, ada, 2);
        var comments = IntStream.range(0, 3)
                .mapToObj(i -> Comment.by(bob, first.id(), id(), "comment " + i, START.plusSeconds(i)))
                .toList();
        comments.forEach(blog::createComment);
        var likes = List.of(
                Like.by(ada, first.id(), id(), START.plusSeconds(7)),
                Like.by(bob, first.id(), id(), START.plusSeconds(8)));
        likes.forEach(blog::createLike);
        var counted = first.with("ada", 3, 2);

        assertThat(blog.user(ada.id()).value()).isEqualTo(ada);
        assertThat(blog.post(first.id()).value()).isEqualTo(counted);
        assertThat(blog.comments(first.id()).value()).isEqualTo(comments);
        assertThat(blog.likes(first.id()).value()).isEqualTo(likes);
        assertThat(blog.comments(second.id()).value()).isEmpty();
        Await.value(() -> blog.postsOf(ada.id()).value(), List.of(second.summary(), counted.summary()));
        assertThat(blog.postsOf(bob.id()).value()).isEmpty();
        Await.noComplaints(() -> blog.feed().value().containsAll(List.of(second.summary(), counted.summary()))
                ? List.of()
                : List.of("the feed lacks a post"));
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> blog.post("none"))
                .satisfies(refused -> assertThat(refused.getStatusCode()).isEqualTo(404));
    }

    @ParameterizedTest
    @EnumSource
    void anEditKeepsWhatOthersHaveAdded(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var post = newPost(blog, ada, 3);
        blog.createLike(Like.by(ada, post.id(), id(), START));
        blog.editPost(post.id(), "another title", "short");

        var found = blog.post(post.id()).value();
        assertThat(found.title()).isEqualTo("another title");
        assertThat(found.content()).isEqualTo("short");
        assertThat(found.likeCount()).isEqualTo(1);
        Await.value(() -> blog.postsOf(ada.id()).value(), List.of(found));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRepeatedIsDoneOnce(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var post = newPost(blog, ada, 4);
        var comment = Comment.by(ada, post.id(), id(), "twice", START);
        var like = Like.by(ada, post.id(), id(), START);
        for (int i = 0; i < 2; i++) {
            blog.createPost(post);
            blog.createComment(comment);
            blog.createLike(like);
        }
        assertThat(blog.post(post.id()).value()).isEqualTo(post.with("ada", 1, 1));
        assertThat(blog.comments(post.id()).value()).containsExactly(comment);
        assertThat(blog.likes(post.id()).value()).containsExactly(like);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRepeatedAfterANewNameIsStillTheSame(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var post = newPost(blog, ada, 10);
        var comment = Comment.by(ada, post.id(), id(), "twice", START);
        var like = Like.by(ada, post.id(), id(), START);
        blog.createComment(comment);
        blog.createLike(like);
        blog.saveUser(User.of(ada.id(), "countess"));
        Await.value(() -> blog.post(post.id()).value(), post.with("countess", 1, 1));
        Await.value(() -> blog.comments(post.id()).value(), List.of(comment.with("countess")));
        Await.value(() -> blog.likes(post.id()).value(), List.of(like.with("countess")));

        blog.createPost(post);
        blog.createComment(comment);
        blog.createLike(like);
        assertThat(blog.post(post.id()).value().commentCount()).isEqualTo(1);
        assertThat(blog.post(post.id()).value().likeCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anIdThatSomethingElseHasIsAConflict(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var bob = newUser(blog, "bob");
        var post = newPost(blog, ada, 11);
        var comment = Comment.by(ada, post.id(), id(), "first", START);
        var like = Like.by(ada, post.id(), id(), START);
        blog.createComment(comment);
        blog.createLike(like);

        assertConflict(() -> blog.createPost(
                Post.by(ada, post.id(), "another title", post.content(), Instant.parse(post.creationDate()))));
        assertConflict(() -> blog.createComment(Comment.by(ada, post.id(), comment.id(), "second", START)));
        assertConflict(() -> blog.createComment(Comment.by(bob, post.id(), comment.id(), "first", START)));
        assertConflict(() -> blog.createComment(Comment.by(ada, post.id(), like.id(), "first", START)));
        assertConflict(() -> blog.createLike(Like.by(bob, post.id(), like.id(), START)));
        assertConflict(() -> blog.createLike(Like.by(ada, post.id(), comment.id(), START)));
        assertThat(blog.post(post.id()).value()).isEqualTo(post.with("ada", 1, 1));
        assertThat(blog.comments(post.id()).value()).containsExactly(comment);
        assertThat(blog.likes(post.id()).value()).containsExactly(like);
    }

    private static void assertConflict(ThrowingCallable command) {
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(command)
                // That of a stored procedure is told as what its script has thrown.
                .satisfies(refused -> assertThat(
                                refused.getStatusCode() == 400 ? refused.getSubStatusCode() : refused.getStatusCode())
                        .isEqualTo(409));
    }

    @ParameterizedTest
    @EnumSource
    void aNewNameReachesEverythingItsUserHasWritten(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var bob = newUser(blog, "bob");
        var post = newPost(blog, ada, 5);
        var other = newPost(blog, bob, 6);
        blog.createComment(Comment.by(ada, other.id(), id(), "mine", START));
        blog.createLike(Like.by(ada, other.id(), id(), START));

        var countess = User.of(ada.id(), "countess");
        blog.saveUser(countess);
        // Somebody who has not heard of it yet.
        blog.createLike(Like.by(ada, post.id(), id(), START));

        Await.value(() -> blog.post(post.id()).value().userUsername(), "countess");
        Await.value(
                () -> blog.comments(other.id()).value().stream()
                        .map(Comment::userUsername)
                        .toList(),
                List.of("countess"));
        Await.value(
                () -> blog.likes(other.id()).value().stream()
                        .map(Like::userUsername)
                        .toList(),
                List.of("countess"));
        Await.value(
                () -> blog.likes(post.id()).value().stream()
                        .map(Like::userUsername)
                        .toList(),
                List.of("countess"));
        Await.value(
                () -> blog.postsOf(ada.id()).value().stream()
                        .map(Post::userUsername)
                        .toList(),
                List.of("countess"));
        Await.value(
                () -> blog.feed().value().stream()
                        .filter(found -> found.id().equals(post.id()))
                        .map(Post::userUsername)
                        .toList(),
                List.of("countess"));
        assertThat(blog.post(other.id()).value().userUsername()).isEqualTo("bob");
    }

    /** As after a step from V1: nothing has a name or a count yet. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V1")
    void namesAndCountsAreFilledInWhereThereAreNone(Version version) {
        var later = PLATFORMS.get(version);
        var earlier = new BlogV1(client.database(version.name()));
        var ada = newUser(later, "ada");
        var bob = newUser(later, "bob");
        var post = newPost(earlier, ada, 9);
        Await.value(() -> later.post(post.id()).value(), post.with("ada", 0, 0));
        var like = earlier.createLike(Like.by(bob, post.id(), id(), START)).value();
        var comment = earlier.createComment(Comment.by(bob, post.id(), id(), "mine", START))
                .value();

        Await.value(() -> later.post(post.id()).value(), post.with("ada", 1, 1));
        Await.value(() -> later.likes(post.id()).value(), List.of(like));
        Await.value(() -> later.comments(post.id()).value(), List.of(comment));
        Await.value(
                () -> later.postsOf(ada.id()).value(),
                List.of(post.with("ada", 1, 1).summary()));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V1")
    void aPostThatHasNothingButItsNameIsCountedWithTheNextChangeOfItsAuthor(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var post = Post.by(ada, id(), "post", "words", START.plusSeconds(12_000));
        blog.createPost(post.with("ada", null, null));
        client.database(version.name()).getContainer(BlogSchema.POSTS).createItem(Like.by(ada, post.id(), id(), START));
        blog.saveUser(ada);

        Await.value(() -> blog.post(post.id()).value(), post.with("ada", 0, 1));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V1")
    void aCommentOrLikeCountsThoseThatNobodyHasCounted(Version version) {
        var database = create("uncounted-" + version, version);
        var later = version.open(database);
        var earlier = new BlogV1(database);
        var ada = newUser(later, "ada");
        var post = newPost(earlier, ada, 1);
        for (int i = 0; i < 2; i++) {
            earlier.createComment(Comment.by(ada, post.id(), id(), "early", START));
            earlier.createLike(Like.by(ada, post.id(), id(), START));
        }

        later.createComment(Comment.by(ada, post.id(), id(), "late", START));
        later.createLike(Like.by(ada, post.id(), id(), START));
        assertThat(later.post(post.id()).value()).isEqualTo(post.with(null, 3, 3));
        later.createLike(Like.by(ada, post.id(), id(), START));
        assertThat(later.post(post.id()).value()).isEqualTo(post.with(null, 3, 4));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V1")
    void anOddItemHoldsUpNobody(Version version) {
        var blog = PLATFORMS.get(version);
        var database = client.database(version.name());
        var ada = newUser(blog, "ada");
        var nobody = id();
        write(database, BlogSchema.USERS, "id", nobody, "userId", nobody, "username", null);
        var silent = Post.by(ada, id(), "title", null, START.plusSeconds(13_000));
        writeWithoutContent(database, silent);
        write(database, BlogSchema.POSTS, "id", id(), "postId", silent.id());
        write(database, BlogSchema.POSTS, "id", id(), "postId", silent.id(), "userId", ada.id());
        write(database, BlogSchema.POSTS, "id", id(), "postId", silent.id(), "userId", nobody, "type", "note");

        // These changes lie in the partitions of the odd ones, and come after them.
        blog.createLike(Like.by(ada, silent.id(), id(), START));
        blog.saveUser(User.of(ada.id(), "countess"));
        var wanted = silent.with("countess", 0, 1);
        Await.value(() -> blog.post(silent.id()).value(), wanted);
        Await.value(() -> blog.postsOf(ada.id()).value(), List.of(wanted));
        Await.noComplaints(() ->
                blog.feed().value().contains(wanted) ? List.of() : List.of("the feed lacks the post without content"));
    }

    @Test
    void viewsLeaveOutWhatTheyCannotShow() {
        var blog = PLATFORMS.get(Version.V3);
        var database = client.database(Version.V3.name());
        var ada = newUser(blog, "ada");
        var post = newPost(blog, ada, 14);
        write(database, BlogSchema.POSTS, "id", id(), "postId", post.id(), "type", "post");
        write(database, BlogSchema.POSTS, "id", id(), "postId", post.id(), "type", "post", "userId", ada.id());
        write(database, BlogSchema.POSTS, "id", id(), "postId", post.id(), "type", "post", "title", List.of());

        blog.createLike(Like.by(ada, post.id(), id(), START));
        Await.value(
                () -> blog.postsOf(ada.id()).value(),
                List.of(post.with("ada", 0, 1).summary()));
    }

    /** A platform would leave the property out. */
    private static void writeWithoutContent(CosmosDatabase database, Post post) {
        ObjectNode item = new ObjectMapper().valueToTree(post);
        database.getContainer(BlogSchema.POSTS).createItem(item.putNull("content"));
    }

    /** @param properties names and values in turn */
    private static void write(CosmosDatabase database, String container, Object... properties) {
        var item = new HashMap<String, Object>();
        for (int i = 0; i < properties.length; i += 2) {
            item.put((String) properties[i], properties[i + 1]);
        }
        database.getContainer(container).createItem(item);
    }

    @ParameterizedTest
    @EnumSource
    void laterVersionsAskFewerPartitions(Version version) {
        var blog = PLATFORMS.get(version);
        var ada = newUser(blog, "ada");
        var post = newPost(blog, ada, 7);
        var comment = Comment.by(ada, post.id(), id(), "comment", START);
        var like = Like.by(ada, post.id(), id(), START);

        assertThat(List.of(
                        blog.saveUser(ada),
                        blog.user(ada.id()),
                        blog.createPost(post(ada, 8)),
                        blog.createComment(comment),
                        blog.createLike(like)))
                .allMatch(Answer::isLean)
                .allMatch(answer -> answer.charge() > 0);
        boolean joinsLater = version != Version.V1;
        assertThat(blog.post(post.id()).isLean()).isEqualTo(joinsLater);
        assertThat(blog.comments(post.id()).isLean()).isEqualTo(joinsLater);
        assertThat(blog.likes(post.id()).isLean()).isEqualTo(joinsLater);
        assertThat(blog.postsOf(ada.id()).fansOut()).isEqualTo(version != Version.V3);
        assertThat(blog.feed().fansOut()).isEqualTo(version != Version.V3);
        assertThat(blog.feed().isLean()).isEqualTo(version == Version.V3);
    }

    private static User newUser(BlogPlatform blog, String name) {
        return blog.saveUser(User.of(id(), name)).value();
    }

    private static Post newPost(BlogPlatform blog, User author, int number) {
        return blog.createPost(post(author, number)).value();
    }

    private static Post post(User author, int number) {
        // Each test has dates of its own, all of which are recent enough for the feed.
        var created = START.plusSeconds(number * 1_000L);
        return Post.by(author, id(), "post " + number, "words ".repeat(200), created);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }
}
