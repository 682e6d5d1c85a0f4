package dev.orrery.example.blog;

import com.azure.cosmos.CosmosException;
import dev.orrery.store.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Several people who post, comment, like, edit and change their names at random, until they are told to stop. */
final class BlogWriters implements AutoCloseable {
    private static final int USERS = 12;
    private static final int RETRY_MILLIS = 50;
    private static final Instant FIRST_DATE = Instant.parse("2026-01-01T00:00:00Z");

    private final List<BlogPlatform> blogs;

    /** Several databases must take the changes of one and the same thing in the same order. */
    private final Semaphore changes;

    private final List<User> users = new ArrayList<>();
    private final List<Post> posts = new CopyOnWriteArrayList<>();
    private final Set<String> comments = ConcurrentHashMap.newKeySet();
    private final Set<String> likes = ConcurrentHashMap.newKeySet();
    private final AtomicInteger written = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    private BlogWriters(List<BlogPlatform> blogs, int changesAtOnce) {
        this.blogs = blogs;
        this.changes = new Semaphore(changesAtOnce);
    }

    /** @param blogs all of which are given every command */
    static BlogWriters start(int count, BlogPlatform... blogs) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("-Dtest.seed=" + seed);
        var writers = new BlogWriters(List.of(blogs), blogs.length == 1 ? count : 1);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < USERS; i++) {
            var user = User.of(id(random), "user-" + i);
            writers.users.add(user);
            writers.persistently(blog -> blog.saveUser(user));
        }
        writers.post(random);
        for (int i = 0; i < count; i++) {
            var own = random.split();
            writers.threads.add(Thread.ofPlatform().daemon().start(() -> writers.write(own)));
        }
        return writers;
    }

    /** Ids of all posts whose creation was acknowledged. */
    Set<String> posts() {
        var ids = ConcurrentHashMap.<String>newKeySet();
        posts.forEach(post -> ids.add(post.id()));
        return ids;
    }

    Set<String> comments() {
        return comments;
    }

    Set<String> likes() {
        return likes;
    }

    /** Lets them go on for so many writes. */
    void awaitMore(int writes) {
        int until = written.get() + writes;
        Await.noComplaints(() -> written.get() >= until ? List.of() : List.of("the writers do not go on"));
    }

    /** Lets them go on until there are more posts than the feed may have. */
    void awaitFullFeed() {
        Await.noComplaints(() -> posts.size() > BlogPlatform.FEED_POSTS_MAX
                ? List.of()
                : List.of("the writers have only " + posts.size() + " posts"));
    }

    private void write(RandomGenerator random) {
        while (!stopped) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> post(random);
                case 4, 5, 6 -> comment(random);
                case 7, 8 -> like(random);
                default -> change(random);
            }
            written.incrementAndGet();
        }
    }

    private void post(RandomGenerator random) {
        // Old and new ones in no order, so that the feed has to choose; microseconds make ties all but impossible.
        var created = FIRST_DATE.plusNanos(random.nextLong(1_000_000_000L) * 1_000);
        var post = Post.by(someone(random), id(random), "a title", "some words ".repeat(30), created);
        persistently(blog -> blog.createPost(post));
        posts.add(post);
    }

    private void comment(RandomGenerator random) {
        var comment = Comment.by(someone(random), somePost(random).id(), id(random), "indeed", FIRST_DATE);
        persistently(blog -> blog.createComment(comment));
        comments.add(comment.id());
    }

    private void like(RandomGenerator random) {
        var like = Like.by(someone(random), somePost(random).id(), id(random), FIRST_DATE);
        persistently(blog -> blog.createLike(like));
        likes.add(like.id());
    }

    private void change(RandomGenerator random) {
        changes.acquireUninterruptibly();
        try {
            if (random.nextBoolean()) {
                var renamed = User.of(someone(random).id(), "name-" + random.nextInt(1_000));
                persistently(blog -> blog.saveUser(renamed));
            } else {
                var post = somePost(random);
                var title = "title " + random.nextInt(1_000);
                persistently(blog -> blog.editPost(post.id(), title, "other words"));
            }
        } finally {
            changes.release();
        }
    }

    /** Under the first name they had: most writers have not heard of the latest one. */
    private User someone(RandomGenerator random) {
        return users.get(random.nextInt(users.size()));
    }

    /** Mostly one of a few, so that writers meet each other. */
    private Post somePost(RandomGenerator random) {
        return posts.get(random.nextInt(random.nextBoolean() ? posts.size() : Math.min(5, posts.size())));
    }

    /** Repeats a command until it is answered: one that was not may have happened, and must not happen twice. */
    private void persistently(Consumer<BlogPlatform> command) {
        blogs.forEach(blog -> persistently(blog, command));
    }

    private void persistently(BlogPlatform blog, Consumer<BlogPlatform> command) {
        while (true) {
            try {
                command.accept(blog);
                return;
            } catch (CosmosException refused) {
                if (stopped) {
                    throw refused;
                }
                Await.pause(RETRY_MILLIS, "a server that starts needs a moment");
            }
        }
    }

    private static String id(RandomGenerator random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    @Override
    public void close() {
        stop();
    }

    /** Stops after the writes that are under way. */
    void stop() {
        stopped = true;
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
