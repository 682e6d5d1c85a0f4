package dev.orrery.example.blog;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * Somebody's liking of a post as the item that is stored.
 *
 * @param userUsername the name of that somebody; null in items of a data model that does not keep it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Like(String id, String type, String postId, String userId, String userUsername, String creationDate) {
    static final String TYPE = "like";

    public static Like by(User user, String postId, String id, Instant created) {
        return new Like(id, TYPE, postId, user.id(), user.username(), Dates.text(created));
    }

    Like with(String userUsername) {
        return new Like(id, type, postId, userId, userUsername, creationDate);
    }
}
