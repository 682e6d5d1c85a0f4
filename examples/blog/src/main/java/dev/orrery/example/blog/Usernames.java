package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.SqlParameter;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.example.common.Together;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Keeps the names of users right in posts, comments and likes, by the change feeds of users and of posts.
 *
 * <p>The feed of users alone would not do: somebody who began to write under an old name may finish after all copies of
 * that name were changed. The feed of posts shows it. Whoever changes names looks at the user again afterwards, so the
 * last one to do so leaves the right name, whatever both feeds do at the same time.
 */
final class Usernames {
    private static final int NOT_FOUND = 404;

    private final CosmosContainer users;
    private final CosmosContainer posts;
    private final AtomicLong updated = new AtomicLong();

    Usernames(CosmosDatabase database) {
        users = database.getContainer(BlogSchema.USERS);
        posts = database.getContainer(BlogSchema.POSTS);
    }

    /** How many items were given another name so far. */
    long updated() {
        return updated.get();
    }

    /** Takes changes of users. */
    void rename(List<JsonNode> changes) {
        for (var change : changes) {
            if (change.path("type").asText(User.TYPE).equals(User.TYPE)) {
                String userId = change.path("id").textValue();
                settle(userId, () -> postsTouchedBy(userId));
            }
        }
    }

    /** Takes changes of posts, comments and likes; what is none of these has no name to set right. */
    void check(List<JsonNode> changes) {
        var postsByUser = new HashMap<String, List<JsonNode>>();
        for (var change : changes) {
            if (change.path("userId").isTextual() && change.path("postId").isTextual()) {
                postsByUser
                        .computeIfAbsent(change.path("userId").textValue(), _ -> new ArrayList<>())
                        .add(change);
            }
        }
        if (postsByUser.isEmpty()) {
            return;
        }
        usernames(postsByUser.keySet()).forEach((userId, username) -> {
            var outdated = postsByUser.get(userId).stream()
                    .filter(item -> !item.path("userUsername").asText("").equals(username))
                    .map(item -> item.path("postId").textValue())
                    .distinct()
                    .toList();
            if (!outdated.isEmpty()) {
                settle(userId, () -> outdated);
            }
        });
    }

    private void settle(String userId, Supplier<List<String>> postIds) {
        var username = username(userId);
        while (username.isPresent()) {
            String name = username.get();
            Together.forEach(postIds.get(), postId -> update(postId, userId, name));
            username = username(userId).filter(now -> !now.equals(name));
        }
    }

    private List<String> postsTouchedBy(String userId) {
        var query = Queries.query(
                "SELECT DISTINCT VALUE p.postId FROM p WHERE p.userId = @userId", new SqlParameter("@userId", userId));
        return new Meter()
                .queryAll(posts, query, String.class).stream()
                        .filter(Objects::nonNull)
                        .toList();
    }

    private void update(String postId, String userId, String username) {
        var changed = new Meter().execute(posts, BlogSchema.UPDATE_USERNAMES, postId, userId, username);
        updated.addAndGet(Long.parseLong(changed));
    }

    /** The names of users who are there and have one, all asked for at once. */
    private Map<String, String> usernames(Collection<String> userIds) {
        var usernames = new HashMap<String, String>();
        for (var user : new Meter().readMany(users, userIds, JsonNode.class)) {
            username(user).ifPresent(name -> usernames.put(user.path("id").textValue(), name));
        }
        return usernames;
    }

    private Optional<String> username(String userId) {
        try {
            return username(new Meter().read(users, userId, userId, JsonNode.class));
        } catch (CosmosException refused) {
            if (refused.getStatusCode() != NOT_FOUND) {
                throw refused;
            }
            return Optional.empty();
        }
    }

    private static Optional<String> username(JsonNode user) {
        return Optional.ofNullable(user.path("username").textValue());
    }
}
