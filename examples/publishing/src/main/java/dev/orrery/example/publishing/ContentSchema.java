package dev.orrery.example.publishing;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;

/** The one container that holds everything, in every account. */
public final class ContentSchema {
    public static final String DATABASE = "publishing";
    public static final String CONTAINER = "content";

    /** Each type of item puts into it what it is looked for by. */
    static final String PARTITION_KEY = "/partitionKey";

    private ContentSchema() {}

    public static void create(CosmosDatabase database) {
        database.createContainerIfNotExists(new CosmosContainerProperties(CONTAINER, PARTITION_KEY));
    }
}
