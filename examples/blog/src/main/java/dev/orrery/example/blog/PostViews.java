package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;

/** Copies posts to where lists are read, beside their author and into the feed, by the change feed of posts. */
final class PostViews {
    private static final ObjectMapper JSON =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private final CosmosContainer users;
    private final CosmosContainer feed;

    /** No post older than this is in the feed or will ever be, because posts only come and never go. */
    private volatile String feedBegins = "";

    PostViews(CosmosDatabase database) {
        users = database.getContainer(BlogSchema.USERS);
        feed = database.getContainer(BlogSchema.FEED);
    }

    /** Takes changes of posts, comments and likes; what cannot be shown among posts is left out, and holds up nobody. */
    void copy(List<JsonNode> changes) {
        var posts = changes.stream()
                .filter(change -> Post.TYPE.equals(change.path("type").textValue()))
                .flatMap(change -> find(change).stream())
                .map(Post::summary)
                .toList();
        if (posts.isEmpty()) {
            return;
        }
        new Meter().upsertAll(users, posts, Post::userId);
        var recent = posts.stream()
                .filter(post -> post.creationDate().compareTo(feedBegins) >= 0)
                .sorted(Queries.NEWEST_POST_FIRST)
                .limit(BlogPlatform.FEED_POSTS_MAX)
                .toList();
        recent.forEach(this::addToFeed);
        if (!recent.isEmpty()) {
            feedBegins = oldestOfFullFeed();
        }
    }

    private void addToFeed(Post post) {
        var truncating = new CosmosItemRequestOptions().setPostTriggerInclude(List.of(BlogSchema.TRUNCATE_FEED));
        new Meter().upsert(feed, post, Post.TYPE, truncating);
    }

    private String oldestOfFullFeed() {
        var query = Queries.query("SELECT VALUE f.creationDate FROM f");
        var dates = new Meter().query(feed, Post.TYPE, query, String.class);
        return dates.size() < BlogPlatform.FEED_POSTS_MAX
                ? ""
                : dates.stream().min(String::compareTo).orElseThrow();
    }

    /** The post, if it says by whom it is, which is where its copy lies, and from when, which is how lists are ordered. */
    private static Optional<Post> find(JsonNode item) {
        try {
            return Optional.of(JSON.treeToValue(item, Post.class))
                    .filter(post -> post.userId() != null && post.creationDate() != null);
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }
}
