package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountDescription.Region;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes the document at the root of the account, from which SDKs learn where to send everything else.
 *
 * @param account asked for every time, since regions come and go
 */
public record AccountRoot(Supplier<AccountDescription> account, Advertised advertised) {
    /** More would make clients in Direct mode compare the answers of several copies, of which there is one. */
    private static final int REPLICAS_MAX = 1;

    /** The document for the client that sends a request: what is at no address of its own is at that which this client has used. */
    public byte[] json(HttpRequest request) {
        return json(
                account.get(),
                region -> region.endpoint()
                        .orElseGet(() -> region.port().isPresent()
                                ? advertised.endpoint(request, region.port().getAsInt())
                                : advertised.endpoint(request)));
    }

    /**
     * The spelling of the two replication policies, {@code minReplicaSetSize} and {@code maxReplicasetSize}, is what the
     * SDKs look for; the .NET SDK fails when a policy is missing.
     */
    private static byte[] json(AccountDescription account, Function<Region, String> endpoint) {
        var replicas = Obj.builder().put("minReplicaSetSize", 1).put("maxReplicasetSize", REPLICAS_MAX);
        return JsonWriter.bytes(Obj.builder()
                .put("_self", "")
                .put("id", account.id())
                .put("_rid", account.id())
                .put("media", "//media/")
                .put("addresses", "//addresses/")
                .put("_dbs", "//dbs/")
                .put("writableLocations", locations(account.writable(), endpoint))
                .put("readableLocations", locations(account.readable(), endpoint))
                .put("enableMultipleWriteLocations", account.writable().size() > 1)
                .put(
                        "userReplicationPolicy",
                        replicas.put("asyncReplication", false).build())
                .put("userConsistencyPolicy", consistency(account))
                .put(
                        "systemReplicationPolicy",
                        replicas.remove("asyncReplication").build())
                .put(
                        "readPolicy",
                        Obj.builder()
                                .put("primaryReadCoefficient", 1)
                                .put("secondaryReadCoefficient", 1)
                                .build())
                .put("queryEngineConfiguration", JsonWriter.text(queryEngine()))
                .build());
    }

    private static JsonValue locations(List<Region> regions, Function<Region, String> endpoint) {
        var locations = new ArrayList<JsonValue>();
        for (var region : regions) {
            locations.add(Obj.builder()
                    .put("name", region.name())
                    .put("databaseAccountEndpoint", endpoint.apply(region))
                    .build());
        }
        return new JsonValue.Arr(locations);
    }

    private static Obj consistency(AccountDescription account) {
        var level = account.defaultConsistency();
        var policy = Obj.builder().put("defaultConsistencyLevel", level.label());
        if (level == ConsistencyLevel.BOUNDED_STALENESS) {
            policy.put("maxStalenessPrefix", account.staleness().versions()).put("maxIntervalInSeconds", (double)
                    account.staleness().time().toSeconds());
        }
        return policy.build();
    }

    /** A string that holds JSON: settings of the planner that the .NET SDK runs by itself on Windows. */
    private static Obj queryEngine() {
        return Obj.builder()
                .put("maxSqlQueryInputLength", Limits.QUERY_TEXT_BYTES_MAX)
                .put("maxJoinsPerSqlQuery", Limits.QUERY_JOINS_MAX)
                .put("maxLogicalAndPerSqlQuery", 2000)
                .put("maxLogicalOrPerSqlQuery", 2000)
                .put("maxUdfRefPerSqlQuery", Limits.QUERY_USER_DEFINED_FUNCTIONS_MAX)
                .put("maxInExpressionItemsCount", 16000)
                .put("queryMaxInMemorySortDocumentCount", 500)
                .put("maxQueryRequestTimeoutFraction", 0.9)
                .put("sqlAllowNonFiniteNumbers", false)
                .put("sqlAllowAggregateFunctions", true)
                .put("sqlAllowSubQuery", true)
                .put("sqlAllowScalarSubQuery", true)
                .put("allowNewKeywords", true)
                .put("sqlAllowLike", true)
                .put("sqlAllowGroupByClause", true)
                .put("sqlAllowTop", true)
                .put("maxSpatialQueryCells", 12)
                .put("spatialMaxGeometryPointCount", Limits.POLYGON_POINTS_MAX)
                .put("sqlDisableOptimizationFlags", 0)
                .put("enableSpatialIndexing", true)
                .build();
    }
}
