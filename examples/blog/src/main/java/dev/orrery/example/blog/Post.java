package dev.orrery.example.blog;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * A post as the item that is stored; what a data model does not keep is null in its items.
 *
 * @param postId the partition key, which a post shares with its comments and likes
 * @param userUsername the author's name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Post(
        String id,
        String type,
        String postId,
        String userId,
        String userUsername,
        String title,
        String content,
        String creationDate,
        Integer commentCount,
        Integer likeCount) {
    static final String TYPE = "post";

    /** How much of its content a post shows in lists. */
    static final int SUMMARY_CHARACTERS = 100;

    /** A new post, which nobody has commented on or liked. */
    public static Post by(User author, String id, String title, String content, Instant created) {
        return new Post(id, TYPE, id, author.id(), author.username(), title, content, Dates.text(created), 0, 0);
    }

    /** Without what others say about it. */
    Post bare() {
        return with(null, null, null);
    }

    /** With the name of its author, and as many comments and likes. */
    public Post with(String userUsername, Integer commentCount, Integer likeCount) {
        return new Post(id, type, postId, userId, userUsername, title, content, creationDate, commentCount, likeCount);
    }

    /** In the short form of lists. */
    public Post summary() {
        if (content == null) {
            return this;
        }
        int length = Math.min(SUMMARY_CHARACTERS, content.length());
        if (length > 0 && Character.isHighSurrogate(content.charAt(length - 1))) {
            length--; // Half a character is none.
        }
        return new Post(
                id,
                type,
                postId,
                userId,
                userUsername,
                title,
                content.substring(0, length),
                creationDate,
                commentCount,
                likeCount);
    }
}
