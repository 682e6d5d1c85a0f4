package dev.orrery.example.blog;

import com.azure.cosmos.CosmosDatabase;

/** The data models, each made from the one before by looking at what its requests cost. */
public enum Version {
    V1,
    V2,
    V3;

    /** The platform on a database that {@link BlogSchema} has made for this version. */
    public BlogPlatform open(CosmosDatabase database) {
        return switch (this) {
            case V1 -> new BlogV1(database);
            case V2 -> new BlogV2(database);
            case V3 -> new BlogV3(database);
        };
    }

    /** The item that this version keeps for a user. */
    public User stored(User user) {
        return switch (this) {
            case V1, V2 -> user;
            case V3 -> user.typed();
        };
    }

    /** The item that this version keeps for a post. */
    public Post stored(Post post) {
        return this == V1 ? post.bare() : post;
    }

    /** The item that this version keeps for a comment. */
    public Comment stored(Comment comment) {
        return this == V1 ? comment.with(null) : comment;
    }

    /** The item that this version keeps for a like. */
    public Like stored(Like like) {
        return this == V1 ? like.with(null) : like;
    }
}
