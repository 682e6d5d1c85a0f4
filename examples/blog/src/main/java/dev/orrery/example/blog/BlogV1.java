package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import dev.orrery.example.common.Together;
import java.util.List;

/** References only: names and counts are looked up whenever they are shown. */
public final class BlogV1 implements BlogPlatform {
    private final CosmosContainer users;
    private final CosmosContainer posts;

    public BlogV1(CosmosDatabase database) {
        users = database.getContainer(BlogSchema.USERS);
        posts = database.getContainer(BlogSchema.POSTS);
    }

    @Override
    public Answer<User> saveUser(User user) {
        var meter = new Meter();
        meter.upsert(users, user, user.id(), new CosmosItemRequestOptions());
        return meter.answer(user);
    }

    @Override
    public Answer<User> user(String userId) {
        var meter = new Meter();
        return meter.answer(meter.read(users, userId, userId, User.class));
    }

    @Override
    public Answer<Post> createPost(Post post) {
        var meter = new Meter();
        meter.create(posts, post.bare(), post.postId());
        return meter.answer(post);
    }

    @Override
    public Answer<String> editPost(String postId, String title, String content) {
        var meter = new Meter();
        var changes = CosmosPatchOperations.create().set("/title", title).set("/content", content);
        meter.patch(posts, postId, postId, changes);
        return meter.answer(postId);
    }

    @Override
    public Answer<Post> post(String postId) {
        var meter = new Meter();
        return meter.answer(complete(meter, meter.read(posts, postId, postId, Post.class)));
    }

    @Override
    public Answer<List<Post>> postsOf(String userId) {
        var meter = new Meter();
        var username = username(meter, userId);
        var found = meter.queryAll(posts, Queries.postsOf(userId), Post.class);
        return meter.answer(Together.map(
                        found, post -> counted(meter, post, username).summary())
                .stream()
                .sorted(Queries.NEWEST_POST_FIRST)
                .toList());
    }

    @Override
    public Answer<Comment> createComment(Comment comment) {
        var meter = new Meter();
        meter.create(posts, comment.with(null), comment.postId());
        return meter.answer(comment);
    }

    @Override
    public Answer<List<Comment>> comments(String postId) {
        var meter = new Meter();
        var found = meter.query(posts, postId, Queries.ofPost(postId, Comment.TYPE), Comment.class);
        return meter.answer(Together.map(found, comment -> comment.with(username(meter, comment.userId()))).stream()
                .sorted(Queries.OLDEST_COMMENT_FIRST)
                .toList());
    }

    @Override
    public Answer<Like> createLike(Like like) {
        var meter = new Meter();
        meter.create(posts, like.with(null), like.postId());
        return meter.answer(like);
    }

    @Override
    public Answer<List<Like>> likes(String postId) {
        var meter = new Meter();
        var found = meter.query(posts, postId, Queries.ofPost(postId, Like.TYPE), Like.class);
        return meter.answer(Together.map(found, like -> like.with(username(meter, like.userId()))).stream()
                .sorted(Queries.OLDEST_LIKE_FIRST)
                .toList());
    }

    @Override
    public Answer<List<Post>> feed() {
        var meter = new Meter();
        var found = meter.queryAll(posts, Queries.recentPosts(), Post.class);
        return meter.answer(Together.map(found, post -> complete(meter, post).summary()).stream()
                .sorted(Queries.NEWEST_POST_FIRST)
                .toList());
    }

    private Post complete(Meter meter, Post post) {
        return counted(meter, post, username(meter, post.userId()));
    }

    private Post counted(Meter meter, Post post, String username) {
        return post.with(username, count(meter, post.postId(), Comment.TYPE), count(meter, post.postId(), Like.TYPE));
    }

    private int count(Meter meter, String postId, String type) {
        return meter.query(posts, postId, Queries.count(postId, type), Integer.class)
                .getFirst();
    }

    private String username(Meter meter, String userId) {
        return meter.read(users, userId, userId, User.class).username();
    }
}
