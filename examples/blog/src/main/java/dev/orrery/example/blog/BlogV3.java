package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.List;

/** Every request asks one partition: posts also lie beside their author, and the newest in a feed. */
public final class BlogV3 implements BlogPlatform {
    private static final SqlQuerySpec POSTS = Queries.query("SELECT * FROM u WHERE u.type = 'post'");

    private final CosmosContainer users;
    private final CosmosContainer feed;
    private final CountedPosts counted;

    public BlogV3(CosmosDatabase database) {
        users = database.getContainer(BlogSchema.USERS);
        feed = database.getContainer(BlogSchema.FEED);
        counted = new CountedPosts(database.getContainer(BlogSchema.POSTS));
    }

    @Override
    public Answer<User> saveUser(User user) {
        var meter = new Meter();
        meter.upsert(users, user.typed(), user.id(), new CosmosItemRequestOptions());
        return meter.answer(user);
    }

    @Override
    public Answer<User> user(String userId) {
        var meter = new Meter();
        return meter.answer(meter.read(users, userId, userId, User.class).untyped());
    }

    @Override
    public Answer<List<Post>> postsOf(String userId) {
        var meter = new Meter();
        return meter.answer(meter.query(users, userId, POSTS, Post.class).stream()
                .sorted(Queries.NEWEST_POST_FIRST)
                .toList());
    }

    @Override
    public Answer<List<Post>> feed() {
        var meter = new Meter();
        return meter.answer(meter.query(feed, Post.TYPE, Queries.recentPosts(), Post.class).stream()
                .sorted(Queries.NEWEST_POST_FIRST)
                .toList());
    }

    @Override
    public Answer<Post> createPost(Post post) {
        return counted.createPost(post);
    }

    @Override
    public Answer<String> editPost(String postId, String title, String content) {
        return counted.editPost(postId, title, content);
    }

    @Override
    public Answer<Post> post(String postId) {
        return counted.post(postId);
    }

    @Override
    public Answer<Comment> createComment(Comment comment) {
        return counted.createComment(comment);
    }

    @Override
    public Answer<List<Comment>> comments(String postId) {
        return counted.comments(postId);
    }

    @Override
    public Answer<Like> createLike(Like like) {
        return counted.createLike(like);
    }

    @Override
    public Answer<List<Like>> likes(String postId) {
        return counted.likes(postId);
    }
}
