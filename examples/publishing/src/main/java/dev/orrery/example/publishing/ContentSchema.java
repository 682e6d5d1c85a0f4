package dev.orrery.example.publishing;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;

/** The one container that holds everything, in every account. */
public final class ContentSchema {
    public static final String DATABASE = "publishing";
    public static final String CONTAINER = "content";

    /** Each type of item puts into it what it is looked for by. */
    static final String PARTITION_KEY = "/partitionKey";

    /** Where an article has the titles under which other regions published it at the same time. */
    public static final String OTHER_TITLES = "otherTitles";

    private static final String MERGE = "merge";

    /**
     * Of an article that was published in two regions at once, the one stays that was settled first, and remembers the title of
     * the other. Subscriptions and notifications that are written twice say the same twice.
     */
    private static final String MERGE_BODY = """
        function merge(incoming, existing, isTombstone, others) {
            const content = getContext().getCollection();
            const settled = existing || others[0];
            if (!incoming || !settled || settled.type !== "article" || settled.title === incoming.title) {
                return;
            }
            settled.otherTitles = [...(settled.otherTitles || []), ...(incoming.otherTitles || []), incoming.title];
            content.replaceDocument(settled._self, settled);
        }
        """;

    private ContentSchema() {}

    /** For an account that one region writes to. */
    public static void create(CosmosDatabase database) {
        database.createContainerIfNotExists(new CosmosContainerProperties(CONTAINER, PARTITION_KEY));
    }

    /** For an account that all regions write to, which may then be at odds about an item. */
    public static void createForAllRegions(CosmosDatabase database) {
        var properties = new CosmosContainerProperties(CONTAINER, PARTITION_KEY);
        properties.setConflictResolutionPolicy(
                ConflictResolutionPolicy.createCustomPolicy(database.getId(), CONTAINER, MERGE));
        database.createContainerIfNotExists(properties);
        database.getContainer(CONTAINER)
                .getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties(MERGE, MERGE_BODY));
    }
}
