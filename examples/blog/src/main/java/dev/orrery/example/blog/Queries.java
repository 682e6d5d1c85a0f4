package dev.orrery.example.blog;

import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.Comparator;
import java.util.List;

/** The queries that several data models share, and the order of what they give. */
final class Queries {
    static final Comparator<Post> NEWEST_POST_FIRST =
            Comparator.comparing(Post::creationDate).thenComparing(Post::id).reversed();
    static final Comparator<Comment> OLDEST_COMMENT_FIRST =
            Comparator.comparing(Comment::creationDate).thenComparing(Comment::id);
    static final Comparator<Like> OLDEST_LIKE_FIRST =
            Comparator.comparing(Like::creationDate).thenComparing(Like::id);

    private Queries() {}

    static SqlQuerySpec postsOf(String userId) {
        return query(
                "SELECT * FROM p WHERE p.type = 'post' AND p.userId = @userId", new SqlParameter("@userId", userId));
    }

    static SqlQuerySpec ofPost(String postId, String type) {
        return query(
                "SELECT * FROM p WHERE p.postId = @postId AND p.type = @type",
                new SqlParameter("@postId", postId),
                new SqlParameter("@type", type));
    }

    static SqlQuerySpec count(String postId, String type) {
        return query(
                "SELECT VALUE COUNT(1) FROM p WHERE p.postId = @postId AND p.type = @type",
                new SqlParameter("@postId", postId),
                new SqlParameter("@type", type));
    }

    static SqlQuerySpec recentPosts() {
        return query("SELECT TOP " + BlogPlatform.FEED_POSTS_MAX
                + " * FROM p WHERE p.type = 'post' ORDER BY p.creationDate DESC");
    }

    static SqlQuerySpec query(String text, SqlParameter... parameters) {
        return new SqlQuerySpec(text, List.of(parameters));
    }
}
