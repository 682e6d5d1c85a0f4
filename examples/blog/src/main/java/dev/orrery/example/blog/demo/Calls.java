package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Answer;
import dev.orrery.example.blog.BlogPlatform;
import dev.orrery.example.blog.Post;
import dev.orrery.example.blog.demo.Result.Listed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * Numbered calls of every request over random keys, the same ones for each version: so every version is asked the same,
 * and has the same data afterwards.
 */
final class Calls {
    /** What the reference seems to have been taken with: its V1 charges one look-up of a name for each. */
    private static final int COMMENTS_WANTED = 20;

    private static final int LIKES_WANTED = 50;

    private static final int SAMPLE_POSTS = 2_000;
    private static final int LISTED_POSTS = 20;
    private static final long SEED = 7;

    /** New posts have numbers that those of the data set do not reach. */
    private static final int FIRST_NEW_POST = 1_000;

    private final StandIn data;
    private final Map<Request, List<Post>> listed = new HashMap<>();

    Calls(StandIn data) {
        this.data = data;
        listed.put(Request.Q4, postsNear(COMMENTS_WANTED, Post::commentCount));
        listed.put(Request.Q5, postsNear(LIKES_WANTED, Post::likeCount));
    }

    Answer<?> ask(BlogPlatform blog, Request request, int call) {
        return switch (request) {
            case C1 -> blog.saveUser(data.user(data.users() + call));
            case Q1 -> blog.user(data.user(user(request, call)).id());
            case C2 -> blog.createPost(newPost(call));
            case Q2 -> blog.post(post(request, call).id());
            case Q3 -> blog.postsOf(data.user(user(request, call)).id());
            case C3 ->
                blog.createComment(
                        data.comment(random(request, call), post(request, call).id(), data.newDate(call)));
            case Q4 -> blog.comments(listed(request, call).id());
            case C4 ->
                blog.createLike(
                        data.like(random(request, call), post(request, call).id(), data.newDate(call)));
            case Q5 -> blog.likes(listed(request, call).id());
            case Q6 -> blog.feed();
        };
    }

    /** The post that a call creates. */
    Post newPost(int call) {
        int author = user(Request.C2, call);
        var made = data.post(author, FIRST_NEW_POST + call);
        return Post.by(data.user(author), made.id(), made.title(), made.content(), data.newDate(call));
    }

    /** The post that a call is about. */
    Post post(Request request, int call) {
        var random = random(request, call);
        int user = random.nextInt(data.users());
        return data.post(user, random.nextInt(data.postsOf(user)));
    }

    /** The user that a call is about. */
    int user(Request request, int call) {
        return random(request, call).nextInt(data.users());
    }

    /** How long the lists of Q4 and Q5 are; small data sets have few posts to choose from. */
    Listed listed() {
        return new Listed(
                average(listed.get(Request.Q4), Post::commentCount), average(listed.get(Request.Q5), Post::likeCount));
    }

    private static double average(List<Post> posts, ToIntFunction<Post> count) {
        return posts.stream().mapToInt(count).average().orElseThrow();
    }

    private Post listed(Request request, int call) {
        var posts = listed.get(request);
        return posts.get(random(request, call).nextInt(posts.size()));
    }

    private List<Post> postsNear(int wanted, ToIntFunction<Post> count) {
        var sample = new ArrayList<Post>();
        for (int i = 0; i < SAMPLE_POSTS; i++) {
            sample.add(post(Request.Q2, i));
        }
        return sample.stream()
                .distinct()
                .sorted(Comparator.comparingInt(post -> Math.abs(count.applyAsInt(post) - wanted)))
                .limit(LISTED_POSTS)
                .toList();
    }

    private static SplittableRandom random(Request request, int call) {
        return new SplittableRandom(
                new SplittableRandom(SEED + call).nextLong() + request.name().hashCode());
    }
}
