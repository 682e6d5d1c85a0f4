package dev.orrery.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.engine.Database;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the databases and containers of a configuration file, where they do not exist yet, through the same door as
 * every client, and the scripts of those containers. A container gets its seed data when it is made and never again:
 * what users change stays changed.
 */
final class Provisioning {
    private static final Logger LOG = LoggerFactory.getLogger(Provisioning.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> DATABASE_NAMES = Set.of("id", "throughput", "autoscale", "containers");
    private static final List<String> OWN_CONTAINER_NAMES = Stream.concat(
                    Stream.of("throughput", "autoscale", "seed", "seedFile"), ScriptProvisioning.LISTS.stream())
            .toList();

    private final Database database;
    private final ConfigurationFile file;
    private final ScriptProvisioning scripts;

    Provisioning(Database database, ConfigurationFile file) {
        this.database = database;
        this.file = file;
        this.scripts = new ScriptProvisioning(this::execute, file);
    }

    void run() {
        for (var entry : file.databases()) {
            var id = file.required(entry, "id", "databases");
            var place = "database " + id;
            ConfigurationFile.demandNames(file.path() + ": " + place, entry, DATABASE_NAMES);
            create(
                    place,
                    ResourceKind.DATABASE,
                    Address.ACCOUNT,
                    JSON.createObjectNode().put("id", id),
                    throughput(place, entry));
            var address = Address.ACCOUNT.child(ResourceKind.DATABASE, id);
            var containers = ConfigurationFile.objects(file.path() + ": " + place, entry.path("containers"));
            containers.stream()
                    .sorted(Comparator.comparing(Provisioning::isView)) // After those that they are views of.
                    .forEach(container -> container(address, container));
        }
    }

    private static boolean isView(ObjectNode container) {
        return container.has("materializedViewDefinition") || container.has("globalSecondaryIndexDefinition");
    }

    private void container(Address parent, ObjectNode entry) {
        var id = file.required(entry, "id", parent.toString());
        var place = "container " + parent.last().id() + "/" + id;
        var body = entry.deepCopy().without(OWN_CONTAINER_NAMES);
        var definition = (ObjectNode) body;
        definition.set("partitionKey", partitionKey(place, entry.path("partitionKey")));
        var parsed = parse(place, definition);
        boolean made = create(place, ResourceKind.CONTAINER, parent, definition, throughput(place, entry));
        var address = parent.child(ResourceKind.CONTAINER, id);
        if (!made) {
            scripts.run(place, address, entry);
            return;
        }
        try {
            scripts.run(place, address, entry);
            LOG.info("Made {} with {} items", place, seed(place, address, parsed, seeds(place, entry)));
        } catch (UserError mistake) {
            // If it stayed, the next start would find it there and leave it without its items.
            execute(new Operation.DeleteResource(address, Precondition.NONE));
            throw mistake;
        }
    }

    private ContainerDefinition parse(String place, ObjectNode definition) {
        try {
            var parsed = ContainerDefinition.parse(object(definition));
            for (var name : parsed.others().members().keySet()) {
                throw new UserError(file.path() + ": " + place + ": '" + name + "' is not a property of a container.");
            }
            return parsed;
        } catch (FailureException refused) {
            throw file.refused(place, refused.failure());
        }
    }

    /** {@code /pk}, a list of paths for a hierarchical key, or the whole definition. */
    private JsonNode partitionKey(String place, JsonNode given) {
        if (given.isTextual()) {
            return JSON.createObjectNode()
                    .put("version", 2)
                    .set("paths", JSON.createArrayNode().add(given.asText()));
        }
        if (given.isArray()) {
            var key = JSON.createObjectNode()
                    .put("kind", given.size() > 1 ? "MultiHash" : "Hash")
                    .put("version", 2);
            return key.set("paths", given);
        }
        if (given.isObject()) {
            return given;
        }
        throw new UserError(file.path() + ": " + place + " needs a partitionKey, such as /id or [/tenant, /user].");
    }

    private Optional<Throughput> throughput(String place, ObjectNode entry) {
        try {
            return demandedThroughput(place, entry);
        } catch (FailureException refused) {
            throw file.refused(place, refused.failure());
        }
    }

    private Optional<Throughput> demandedThroughput(String place, ObjectNode entry) {
        if (entry.has("autoscale") && entry.has("throughput")) {
            throw new UserError(file.path() + ": " + place + ": throughput and autoscale exclude each other.");
        }
        if (entry.has("autoscale")) {
            return Optional.of(new Throughput.Autoscale(requestUnits(place, entry, "autoscale"), Obj.EMPTY));
        }
        return entry.has("throughput")
                ? Optional.of(new Throughput.Manual(requestUnits(place, entry, "throughput")))
                : Optional.empty();
    }

    private int requestUnits(String place, ObjectNode entry, String name) {
        if (!entry.path(name).canConvertToInt() || !entry.path(name).isIntegralNumber()) {
            throw new UserError(file.path() + ": " + place + ": " + name + " must be a whole number.");
        }
        return entry.path(name).intValue();
    }

    /** True when it was made, false when it was there. */
    private boolean create(
            String place, ResourceKind kind, Address parent, ObjectNode body, Optional<Throughput> throughput) {
        var outcome = execute(new Operation.CreateResource(kind, parent, bytes(body), false, throughput, 0));
        return switch (outcome.answer()) {
            case Answer.Refused(Failure.Conflict _) -> false;
            case Answer.Refused(var failure) -> throw file.refused(place, failure);
            case Answer.Resource _,
                    Answer.Account _,
                    Answer.Deleted _,
                    Answer.NotModified _,
                    Answer.Feed _,
                    Answer.Batch _,
                    Answer.Plan _,
                    Answer.Executed _,
                    Answer.Progress _ -> true;
        };
    }

    private int seed(String place, Address container, ContainerDefinition definition, List<JsonNode> items) {
        int number = 0;
        for (var item : items) {
            number++;
            var itemPlace = place + ", seed item " + number;
            if (!(item instanceof ObjectNode body)) {
                throw new UserError(file.path() + ": " + itemPlace + " must be an object.");
            }
            var key = definition.partitionKey().extract(object(body));
            var write = new ItemWrite.Upsert(bytes(body), Precondition.NONE);
            var outcome = execute(new Operation.WriteItem(container, Optional.of(key), write, Triggers.NONE));
            if (outcome.answer() instanceof Answer.Refused(var failure)) {
                throw file.refused(itemPlace, failure);
            }
        }
        return number;
    }

    private List<JsonNode> seeds(String place, ObjectNode entry) {
        var items = new ArrayList<JsonNode>();
        if (entry.hasNonNull("seed") && !entry.path("seed").isArray()) {
            throw new UserError(file.path() + ": " + place + ": seed must be a list of items.");
        }
        entry.path("seed").forEach(items::add);
        if (entry.has("seedFile")) {
            var path = file.path()
                    .toAbsolutePath()
                    .resolveSibling(entry.path("seedFile").asText());
            items.addAll(readItems(place, path));
        }
        return items;
    }

    /** A JSON array, or one JSON object after another, as in NDJSON. */
    private List<JsonNode> readItems(String place, Path path) {
        var items = new ArrayList<JsonNode>();
        try (var reader = Files.newBufferedReader(path, StandardCharsets.UTF_8);
                var values = JSON.readerFor(JsonNode.class).<JsonNode>readValues(reader)) {
            while (values.hasNextValue()) {
                var value = values.nextValue();
                if (value.isArray()) {
                    value.forEach(items::add);
                } else {
                    items.add(value);
                }
            }
            return items;
        } catch (NoSuchFileException missing) {
            throw new UserError(file.path() + ": " + place + ": there is no seed file " + path + ".", missing);
        } catch (JsonProcessingException malformed) {
            var where = malformed.getLocation();
            throw new UserError(
                    file.path() + ": " + place + ": the seed file " + path + " is not good JSON at line "
                            + where.getLineNr() + ", column " + where.getColumnNr() + ": "
                            + malformed.getOriginalMessage(),
                    malformed);
        } catch (IOException unreadable) {
            throw new UserError(
                    file.path() + ": " + place + ": the seed file " + path + " cannot be read: "
                            + unreadable.getMessage(),
                    unreadable);
        }
    }

    private Outcome execute(Operation operation) {
        return database.execute(operation, Caller.owner()).toCompletableFuture().join();
    }

    private static Obj object(ObjectNode node) {
        return (Obj) JsonReader.parse(bytes(node));
    }

    private static byte[] bytes(ObjectNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("A tree that was read can be written", impossible);
        }
    }
}
