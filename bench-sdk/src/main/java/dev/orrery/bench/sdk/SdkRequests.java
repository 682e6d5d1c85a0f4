package dev.orrery.bench.sdk;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The requests that are measured, on items of 1 KB with ten properties. */
final class SdkRequests {
    /** What one request does. */
    enum Kind {
        READ,
        CREATE,
        QUERY
    }

    private static final int GROUPS = 64;
    private static final int GROUP_ITEMS = 20;
    private static final int FILLER = 700;
    private static final int PROVISIONING_AT_ONCE = 16;

    private final CosmosAsyncContainer container;

    private SdkRequests(CosmosAsyncContainer container) {
        this.container = container;
    }

    /** Makes a container with the items that are read and asked for, unless another client has made it. */
    static SdkRequests provision(CosmosAsyncClient client) {
        client.createDatabaseIfNotExists("bench").block();
        var database = client.getDatabase("bench");
        var made = database.createContainerIfNotExists("sdk", "/group").block();
        var requests = new SdkRequests(database.getContainer("sdk"));
        if (made.getStatusCode() == 201) {
            Flux.range(0, GROUPS * GROUP_ITEMS)
                    .flatMap(
                            number -> requests.container.createItem(
                                    item(Integer.toString(number), number % GROUPS), options()),
                            PROVISIONING_AT_ONCE)
                    .blockLast();
        }
        return requests;
    }

    /** @param sender which of those that send at once this is; each has a group of its own */
    Mono<?> send(Kind kind, int sender) {
        int group = sender % GROUPS;
        return switch (kind) {
            case READ -> container.readItem(Integer.toString(group), key(group), Map.class);
            case CREATE -> container.createItem(item(UUID.randomUUID().toString(), group), key(group), options());
            case QUERY -> query(group);
        };
    }

    private Mono<?> query(int group) {
        var text = "SELECT * FROM c WHERE c[\"group\"] = @group AND c.number < @end";
        var spec = new SqlQuerySpec(
                text, List.of(new SqlParameter("@group", name(group)), new SqlParameter("@end", GROUPS * GROUP_ITEMS)));
        var options =
                new CosmosQueryRequestOptions().setPartitionKey(key(group)).setQueryMetricsEnabled(false);
        return Mono.from(rows(spec, options)).doOnNext(count -> {
            if (count != GROUP_ITEMS) {
                throw new IllegalStateException("a query gave " + count + " rows");
            }
        });
    }

    private Publisher<Long> rows(SqlQuerySpec spec, CosmosQueryRequestOptions options) {
        return container.queryItems(spec, options, Map.class).count();
    }

    private static CosmosItemRequestOptions options() {
        return new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(false);
    }

    private static PartitionKey key(int group) {
        return new PartitionKey(name(group));
    }

    private static String name(int group) {
        return "group-" + group;
    }

    /** An item that is created while it is measured has no number, so that queries keep finding the same rows. */
    private static Map<String, Object> item(String id, int group) {
        return Map.of(
                "id",
                id,
                "group",
                name(group),
                "number",
                id.length() < 8 ? (Object) Integer.valueOf(id) : "none",
                "category",
                "gear-surf-surfboards",
                "quantity",
                12,
                "price",
                850.25,
                "sale",
                false,
                "tags",
                List.of("blue", "long", "foam"),
                "address",
                Map.of("city", "Porto", "zip", "4000-322", "country", "PT"),
                "description",
                "a".repeat(FILLER));
    }
}
