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
}
