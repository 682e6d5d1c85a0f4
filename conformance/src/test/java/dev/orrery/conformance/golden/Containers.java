package dev.orrery.conformance.golden;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A database with a container for each definition that statements ask for, holding just what the one in hand sees. */
final class Containers {
    /** How items are spread. */
    enum Spread {
        /** In one logical partition: no item has the path. */
        ONE_PARTITION("/no/such/path", 400),
        /** Each item for itself, in three physical partitions or more. */
        MANY_PARTITIONS("/id", 18_000);

        private final String path;
        private final int requestUnits;

        Spread(String path, int requestUnits) {
            this.path = path;
            this.requestUnits = requestUnits;
        }
    }

    private final WireClient wire;
    private final String database;
    private final Spread spread;
    private final Map<ObjectNode, String> names = new HashMap<>();
    private final Map<String, List<ObjectNode>> held = new HashMap<>();

    Containers(WireClient wire, String database, Spread spread) {
        this.wire = wire;
        this.database = database;
        this.spread = spread;
        demand(201, wire.post("/dbs", "{\"id\":\"" + database + "\"}"));
    }

    /** The name of a container with the items and the settings that a statement sees. */
    String holding(Statement statement) {
        var name = names.computeIfAbsent(statement.policies(), this::create);
        var items = held.get(name);
        boolean more = items.size() <= statement.items().size()
                && items.equals(statement.items().subList(0, items.size()));
        if (!more) {
            items.forEach(item -> demand(204, send("DELETE", name, "/" + id(item), item, "")));
            items.clear();
        }
        for (var item :
                statement.items().subList(items.size(), statement.items().size())) {
            demand(201, send("POST", name, "", item, item.toString()));
            items.add(item);
        }
        return name;
    }

    private String create(ObjectNode policies) {
        var name = "c" + names.size();
        var definition = policies.deepCopy().put("id", name);
        definition
                .putObject("partitionKey")
                .put("kind", "Hash")
                .put("version", 2)
                .putArray("paths")
                .add(spread.path);
        demand(
                201,
                wire.send(WireRequest.of("POST", "/dbs/" + database + "/colls")
                        .header("x-ms-offer-throughput", Integer.toString(spread.requestUnits))
                        .body(definition.toString())));
        held.put(name, new ArrayList<>());
        return name;
    }

    private WireReply send(String method, String container, String path, ObjectNode item, String body) {
        var key = spread == Spread.ONE_PARTITION ? "[{}]" : "[\"" + id(item) + "\"]";
        return wire.send(WireRequest.of(method, "/dbs/" + database + "/colls/" + container + "/docs" + path)
                .header("x-ms-documentdb-partitionkey", key)
                .body(body));
    }

    private static String id(ObjectNode item) {
        return item.path("id").textValue();
    }

    private static void demand(int status, WireReply reply) {
        if (reply.status() != status) {
            throw new AssertionError("Expected " + status + ": " + reply);
        }
    }
}
