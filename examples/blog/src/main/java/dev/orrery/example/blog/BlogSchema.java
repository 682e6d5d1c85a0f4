package dev.orrery.example.blog;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Makes the containers and scripts that a version needs, all with the default indexing policy. */
public final class BlogSchema {
    public static final String USERS = "users";
    public static final String POSTS = "posts";
    public static final String FEED = "feed";
    static final String LEASES = "leases";

    static final String CREATE_COMMENT = "createComment";
    static final String CREATE_LIKE = "createLike";
    static final String UPDATE_USERNAMES = "updateUsernames";
    static final String TRUNCATE_FEED = "truncateFeed";

    private BlogSchema() {}

    /**
     * Makes them.
     *
     * @param postsUnits the throughput of {@code posts}, in request units a second; every 10,000 are one more physical
     *     partition
     */
    public static void create(CosmosDatabase database, Version version, int postsUnits) {
        createUsers(database, version);
        var throughput = ThroughputProperties.createManualThroughput(postsUnits);
        database.createContainer(new CosmosContainerProperties(POSTS, "/postId"), throughput);
        if (version == Version.V1) {
            return;
        }
        createProcedure(database, CREATE_COMMENT);
        createProcedure(database, CREATE_LIKE);
        createProcedure(database, UPDATE_USERNAMES);
        database.createContainer(LEASES, "/id");
        if (version == Version.V3) {
            createFeed(database);
        }
    }

    private static void createUsers(CosmosDatabase database, Version version) {
        var key = switch (version) {
            case V1, V2 -> "/id";
            case V3 -> "/userId";
        };
        database.createContainer(USERS, key);
    }

    private static void createFeed(CosmosDatabase database) {
        database.createContainer(FEED, "/type");
        database.getContainer(FEED)
                .getScripts()
                .createTrigger(new CosmosTriggerProperties(TRUNCATE_FEED, script(TRUNCATE_FEED))
                        .setTriggerType(TriggerType.POST)
                        .setTriggerOperation(TriggerOperation.ALL));
    }

    private static void createProcedure(CosmosDatabase database, String name) {
        database.getContainer(POSTS)
                .getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties(name, script(name)));
    }

    private static String script(String name) {
        try (var file = BlogSchema.class.getResourceAsStream(name + ".js")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
