package dev.orrery.conformance.golden;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Java SDK, in small pages. */
final class JavaAsker implements Asker {
    private static final int PAGE_SIZE = 3;

    private static final Map<String, String> DIFFERENCES = Map.ofEntries(
            Map.entry(
                    "^SELECT VALUE (SUM|AVG)\\(c\\.n\\) FROM c$", "It passes over partitions whose sum is undefined."),
            Map.entry("(AVG|MIN|MAX)\\(c\\.(missing|o)\\)", "It gives null or an empty object for undefined."),
            Map.entry("GROUP BY c\\.team", "It drops nulls in groups, and has rows for groups without a value."),
            Map.entry("^SELECT DISTINCT VALUE c\\.o FROM c$", "It opens arrays before it compares rows."),
            Map.entry("does not have an 'payload' field", "It cannot have groups without a value."),
            Map.entry("\"object\" is null", "It cannot have null as a sorted row."),
            Map.entry("\"document\" is null", "It can rank objects only."),
            Map.entry("greater than or equal to limit", "It skips no more ranked rows than it takes."),
            Map.entry("\\bRANK\\b.*\\bOFFSET\\b", "It can lose rows behind those that it skips."),
            Map.entry("DISTINCT TOP.*VectorDistance", "It keeps the nearest before it looks for equal rows."),
            Map.entry("QueryInfo.getTop()\" is null", "It fails where it is not told how many of the nearest to keep."),
            Map.entry("without Top or Limit", "It wants to know how many ranked rows to keep."));

    private final CosmosClient client;
    private final CosmosDatabase database;

    JavaAsker(OrreryServer server, ClientMode mode, String database) {
        client = mode.to(new CosmosClientBuilder()
                        .endpoint(server.http().toString())
                        .key(OrreryServer.WELL_KNOWN_KEY))
                .buildClient();
        this.database = client.getDatabase(database);
    }

    @Override
    public Answer ask(String container, String text, Map<String, JsonNode> parameters) {
        var query = new SqlQuerySpec(
                text,
                parameters.entrySet().stream()
                        .map(parameter -> new SqlParameter(parameter.getKey(), parameter.getValue()))
                        .toList());
        var rows = new ArrayList<JsonNode>();
        try {
            database.getContainer(container)
                    .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                    .iterableByPage(PAGE_SIZE)
                    .forEach(page -> rows.addAll(page.getResults()));
            return new Answer(200, "", rows);
        } catch (CosmosException refusal) {
            return new Answer(refusal.getStatusCode(), refusal.getMessage(), List.of());
        } catch (RuntimeException unprepared) {
            return new Answer(0, "the SDK failed: " + unprepared, List.of());
        }
    }

    /** It takes such a page for the result of an aggregate. */
    @Override
    public boolean opensArrays() {
        return true;
    }

    @Override
    public Map<String, String> differences() {
        return DIFFERENCES;
    }

    @Override
    public void close() {
        client.close();
    }
}
