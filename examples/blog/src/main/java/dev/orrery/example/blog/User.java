package dev.orrery.example.blog;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Somebody who writes, comments and likes, as the item that is stored.
 *
 * @param type tells users from copies of posts, where both share a container
 * @param userId the partition key, where users share one with copies of their posts
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record User(String id, String type, String userId, String username) {
    static final String TYPE = "user";

    public static User of(String id, String username) {
        return new User(id, null, null, username);
    }

    /** As it lies beside copies of posts. */
    User typed() {
        return new User(id, TYPE, id, username);
    }

    User untyped() {
        return of(id, username);
    }
}
