package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Comment;
import dev.orrery.example.blog.Like;
import dev.orrery.example.blog.Post;
import dev.orrery.example.blog.User;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A data set that is the same for the same seed, and made anew wherever it is needed, since it may be larger than
 * memory: 5 to 50 posts a user, up to 25 comments and 100 likes a post.
 */
final class StandIn {
    static final long DEFAULT_SEED = 42;

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int POSTS_MIN = 5;
    private static final int POSTS_MAX = 50;
    private static final int COMMENTS_MAX = 25;
    private static final int LIKES_MAX = 100;

    /** With ids, dates and what the database adds, posts and comments come to about 1.7 KB. */
    private static final int CONTENT_MIN = 1_130;

    private static final int CONTENT_MAX = 1_230;
    private static final int TEXT_CHARACTERS = 1 << 16;

    private static final Instant FIRST_DATE = Instant.parse("2025-01-01T00:00:00Z");
    private static final long YEAR_MICROS = ChronoUnit.DAYS.getDuration().toSeconds() * 365 * 1_000_000;

    private static final List<String> WORDS = List.of(
            "sun moon star comet orbit planet ring gear wheel clock tower river stone garden letter story summer winter"
                    .concat(" morning evening window table paper music colour silver copper bridge harbour island"
                            + " forest")
                    .concat(" travel measure balance motion circle reason answer question simple bright quiet early"
                            + " slow")
                    .split(" "));

    private final long seed;
    private final int users;
    private final String text;

    StandIn(long seed, int users) {
        this.seed = spread(seed);
        this.users = users;
        this.text = text(new SplittableRandom(seed));
    }

    int users() {
        return users;
    }

    /** A user; numbers beyond those of the data set give users that are not in it. */
    User user(int number) {
        var random = random(number, -1, 0);
        return User.of(id(random), word(random) + "." + word(random) + "." + number);
    }

    int postsOf(int user) {
        return random(user, -1, 1).nextInt(POSTS_MIN, POSTS_MAX + 1);
    }

    /** A post with the counts of its comments and likes; numbers beyond those of its author give posts that are new. */
    Post post(int user, int number) {
        var random = random(user, number, 0);
        var author = user(user);
        var title = word(random) + " " + word(random) + " " + word(random);
        var created = FIRST_DATE.plus(random.nextLong(YEAR_MICROS), ChronoUnit.MICROS);
        return Post.by(author, id(random), title, content(random), created)
                .with(author.username(), random.nextInt(COMMENTS_MAX + 1), random.nextInt(LIKES_MAX + 1));
    }

    Stream<Comment> comments(int user, int number, Post post) {
        var random = random(user, number, 1);
        var posted = Instant.parse(post.creationDate());
        return IntStream.range(0, post.commentCount()).mapToObj(_ -> comment(random, post.id(), posted));
    }

    Stream<Like> likes(int user, int number, Post post) {
        var random = random(user, number, 2);
        var posted = Instant.parse(post.creationDate());
        return IntStream.range(0, post.likeCount()).mapToObj(_ -> like(random, post.id(), posted));
    }

    /** A comment by anybody. */
    Comment comment(RandomGenerator random, String postId, Instant after) {
        return Comment.by(someone(random), postId, id(random), content(random), later(random, after));
    }

    /** A like by anybody. */
    Like like(RandomGenerator random, String postId, Instant after) {
        return Like.by(someone(random), postId, id(random), later(random, after));
    }

    /** Later than every post of the data set, and later for larger numbers. */
    Instant newDate(int number) {
        return FIRST_DATE.plus(YEAR_MICROS, ChronoUnit.MICROS).plusSeconds(number);
    }

    long posts() {
        return IntStream.range(0, users).mapToLong(this::postsOf).sum();
    }

    /** All posts, comments and likes. */
    long itemsOfPosts() {
        return IntStream.range(0, users)
                .parallel()
                .mapToLong(user -> IntStream.range(0, postsOf(user))
                        .mapToObj(number -> post(user, number))
                        .mapToLong(post -> 1L + post.commentCount() + post.likeCount())
                        .sum())
                .sum();
    }

    private User someone(RandomGenerator random) {
        return user(random.nextInt(users));
    }

    /** Within a month, but not later than the last day of the data set: nobody has answered to what is to come. */
    private static Instant later(RandomGenerator random, Instant date) {
        long left = ChronoUnit.MICROS.between(date, FIRST_DATE.plus(YEAR_MICROS, ChronoUnit.MICROS));
        long most = Math.min(left, YEAR_MICROS / 12);
        return most <= 0 ? date : date.plus(random.nextLong(most), ChronoUnit.MICROS);
    }

    private String content(RandomGenerator random) {
        int length = random.nextInt(CONTENT_MIN, CONTENT_MAX);
        int begin = random.nextInt(TEXT_CHARACTERS - length);
        return text.substring(begin, begin + length);
    }

    private static String text(RandomGenerator random) {
        var text = new StringBuilder(TEXT_CHARACTERS + 16);
        while (text.length() < TEXT_CHARACTERS) {
            text.append(word(random)).append(' ');
        }
        return text.toString();
    }

    private static String word(RandomGenerator random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private static String id(RandomGenerator random) {
        // The bits that say that it is a random one, as this kind must.
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(high, low).toString();
    }

    /** Seeds that are close to each other would give the same posts under other numbers; the default is kept as it is. */
    private static long spread(long seed) {
        return DEFAULT_SEED + (seed - DEFAULT_SEED) * GOLDEN_RATIO;
    }

    /** A generator for each user, post and purpose, so that each can be made without those before it. */
    private RandomGenerator random(int user, int number, int purpose) {
        long mixed = new SplittableRandom(seed ^ (((long) user << 32) + number + 1)).nextLong();
        return new SplittableRandom(mixed + purpose);
    }
}
