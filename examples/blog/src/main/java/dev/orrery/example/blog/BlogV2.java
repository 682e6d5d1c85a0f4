package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import java.util.List;

/** Names and counts lie where they are read; lists of posts still ask all partitions. */
public final class BlogV2 implements BlogPlatform {
    private final CosmosContainer users;
    private final CosmosContainer posts;
    private final CountedPosts counted;

    public BlogV2(CosmosDatabase database) {
        users = database.getContainer(BlogSchema.USERS);
        posts = database.getContainer(BlogSchema.POSTS);
        counted = new CountedPosts(posts);
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
    public Answer<List<Post>> postsOf(String userId) {
        var meter = new Meter();
        return meter.answer(meter.queryAll(posts, Queries.postsOf(userId), Post.class).stream()
                .map(Post::summary)
                .sorted(Queries.NEWEST_POST_FIRST)
                .toList());
    }

    @Override
    public Answer<List<Post>> feed() {
        var meter = new Meter();
        return meter.answer(meter.queryAll(posts, Queries.recentPosts(), Post.class).stream()
                .map(Post::summary)
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
