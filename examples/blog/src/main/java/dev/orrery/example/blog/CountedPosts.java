package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosPatchOperations;
import java.util.List;

/** Posts that know the name of their author and how many comments and likes they have. */
record CountedPosts(CosmosContainer posts) {
    Answer<Post> createPost(Post post) {
        var meter = new Meter();
        meter.create(posts, post, post.postId());
        return meter.answer(post);
    }

    /** Changes nothing but what was edited: a comment may be counted at the same time. */
    Answer<String> editPost(String postId, String title, String content) {
        var meter = new Meter();
        var changes = CosmosPatchOperations.create().set("/title", title).set("/content", content);
        meter.patch(posts, postId, postId, changes);
        return meter.answer(postId);
    }

    Answer<Post> post(String postId) {
        var meter = new Meter();
        return meter.answer(meter.read(posts, postId, postId, Post.class));
    }

    Answer<Comment> createComment(Comment comment) {
        var meter = new Meter();
        meter.execute(posts, BlogSchema.CREATE_COMMENT, comment.postId(), comment.postId(), comment);
        return meter.answer(comment);
    }

    Answer<List<Comment>> comments(String postId) {
        var meter = new Meter();
        var found = meter.query(posts, postId, Queries.ofPost(postId, Comment.TYPE), Comment.class);
        return meter.answer(found.stream().sorted(Queries.OLDEST_COMMENT_FIRST).toList());
    }

    Answer<Like> createLike(Like like) {
        var meter = new Meter();
        meter.execute(posts, BlogSchema.CREATE_LIKE, like.postId(), like.postId(), like);
        return meter.answer(like);
    }

    Answer<List<Like>> likes(String postId) {
        var meter = new Meter();
        var found = meter.query(posts, postId, Queries.ofPost(postId, Like.TYPE), Like.class);
        return meter.answer(found.stream().sorted(Queries.OLDEST_LIKE_FIRST).toList());
    }
}
