package dev.orrery.example.blog;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * A comment on a post as the item that is stored.
 *
 * @param userUsername the name of its author; null in items of a data model that does not keep it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Comment(
        String id,
        String type,
        String postId,
        String userId,
        String userUsername,
        String content,
        String creationDate) {
    static final String TYPE = "comment";

    public static Comment by(User author, String postId, String id, String content, Instant created) {
        return new Comment(id, TYPE, postId, author.id(), author.username(), content, Dates.text(created));
    }

    Comment with(String userUsername) {
        return new Comment(id, type, postId, userId, userUsername, content, creationDate);
    }
}
