package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads everything a database of V2 or V3 holds, and tells what does not fit together. */
final class Audit {
    private static final List<String> SYSTEM_PROPERTIES =
            List.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn");

    private static final int NO_COUNT = -1;

    private final CosmosDatabase database;

    Audit(CosmosDatabase database) {
        this.database = database;
    }

    /** What is wrong at any time, whatever is on its way. */
    List<String> countComplaints() {
        var complaints = new ArrayList<String>();
        var items = items(BlogSchema.POSTS);
        var comments = countByPost(items, Comment.TYPE);
        var likes = countByPost(items, Like.TYPE);
        of(items, Post.TYPE, post -> {
            var id = text(post, "id");
            expect(
                    complaints,
                    "comments of " + id,
                    post.path("commentCount").asInt(NO_COUNT),
                    comments.getOrDefault(id, 0));
            expect(complaints, "likes of " + id, post.path("likeCount").asInt(NO_COUNT), likes.getOrDefault(id, 0));
        });
        return complaints;
    }

    /** What is wrong with names once consumers have seen to everything. */
    List<String> nameComplaints() {
        var complaints = new ArrayList<String>();
        var users = items(BlogSchema.USERS);
        items(BlogSchema.POSTS)
                .values()
                .forEach(item -> expect(
                        complaints,
                        "the name in " + text(item, "type") + " " + text(item, "id"),
                        text(item, "userUsername"),
                        text(users.get(text(item, "userId")), "username")));
        return complaints;
    }

    /** What is wrong with names and with the views of V3 once consumers have seen to everything. */
    List<String> viewComplaints() {
        var complaints = new ArrayList<>(nameComplaints());
        var wanted = new TreeMap<String, JsonNode>();
        of(items(BlogSchema.POSTS), Post.TYPE, post -> wanted.put(text(post, "id"), shortened(post)));
        expectSame(complaints, "users", wanted, copies());
        expectSame(complaints, "feed", newest(wanted), feed());
        return complaints;
    }

    /** The copies of posts beside their authors, by id. */
    Map<String, JsonNode> copies() {
        var copies = new TreeMap<String, JsonNode>();
        of(items(BlogSchema.USERS), Post.TYPE, copy -> copies.put(text(copy, "id"), copy));
        return copies;
    }

    /** The posts in the feed, by id. */
    Map<String, JsonNode> feed() {
        return items(BlogSchema.FEED);
    }

    /** The posts with their comments and likes, by id. */
    Map<String, JsonNode> posts() {
        return items(BlogSchema.POSTS);
    }

    Set<String> ids(String type) {
        var ids = new HashSet<String>();
        of(items(BlogSchema.POSTS), type, item -> ids.add(text(item, "id")));
        return ids;
    }

    private Map<String, JsonNode> items(String name) {
        CosmosContainer container = database.getContainer(name);
        var items = new TreeMap<String, JsonNode>();
        for (var item : container.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), ObjectNode.class)) {
            items.put(text(item, "id"), item.without(SYSTEM_PROPERTIES));
        }
        return items;
    }

    private static void of(Map<String, JsonNode> items, String type, Consumer<JsonNode> action) {
        items.values().stream().filter(item -> text(item, "type").equals(type)).forEach(action);
    }

    private static Map<String, Integer> countByPost(Map<String, JsonNode> items, String type) {
        var counts = new HashMap<String, Integer>();
        of(items, type, item -> counts.merge(text(item, "postId"), 1, Integer::sum));
        return counts;
    }

    private static JsonNode shortened(JsonNode post) {
        var content = text(post, "content");
        var copy = (ObjectNode) post.deepCopy();
        return copy.put("content", content.substring(0, Math.min(100, content.length())));
    }

    private static Map<String, JsonNode> newest(Map<String, JsonNode> posts) {
        return posts.values().stream()
                .sorted(Comparator.comparing((JsonNode post) -> text(post, "creationDate"))
                        .reversed())
                .limit(100)
                .collect(Collectors.toMap(post -> text(post, "id"), post -> post));
    }

    private static void expectSame(
            List<String> complaints, String where, Map<String, JsonNode> wanted, Map<String, JsonNode> actual) {
        wanted.forEach((id, post) -> expect(complaints, id + " in " + where, actual.get(id), post));
        expect(complaints, "the number of posts in " + where, actual.size(), wanted.size());
    }

    private static void expect(List<String> complaints, String what, Object actual, Object wanted) {
        if (!wanted.equals(actual)) {
            complaints.add("%s is %s instead of %s".formatted(what, actual, wanted));
        }
    }

    private static String text(JsonNode item, String property) {
        return item.path(property).asText();
    }
}
