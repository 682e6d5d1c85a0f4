package dev.orrery.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.orrery.model.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a YAML file says of a server: the options of {@code orrery start} under their names, and the databases it is to
 * have.
 */
record ConfigurationFile(Path path, ObjectNode root) {
    private static final Set<String> NAMES = Set.of(
            "port",
            "host",
            "data",
            "memory",
            "key",
            "secondaryKey",
            "readOnlyKey",
            "secondaryReadOnlyKey",
            "durability",
            "cache",
            "diskReserve",
            "logicalPartitionMax",
            "changeRetention",
            "charges",
            "enforceThroughput",
            "maxCharge",
            "serveRawQueries",
            "serverless",
            "defaultConsistency",
            "advertise",
            "directPort",
            "certificateNames",
            "allowOrigins",
            "allowWellKnownKey",
            "certificate",
            "certificateKey",
            "certificatePassword",
            "keyFile",
            "secondaryKeyFile",
            "readOnlyKeyFile",
            "secondaryReadOnlyKeyFile",
            "auditLog",
            "account",
            "regions",
            "region",
            "multipleWriteRegions",
            "allowFaults",
            "trust",
            "stalenessVersions",
            "stalenessSeconds",
            "healthPort",
            "logLevel",
            "databases");

    static ConfigurationFile read(Path path) {
        try {
            var text = Files.readString(path);
            var node = new ObjectMapper(new YAMLFactory()).readTree(text);
            if (node == null || node.isMissingNode() || node.isNull()) {
                node = new ObjectMapper().createObjectNode();
            }
            if (!(node instanceof ObjectNode root)) {
                throw new UserError(path + " must hold names and values, such as 'port: 8081'.");
            }
            demandNames(path + "", root, NAMES);
            return new ConfigurationFile(path, root);
        } catch (NoSuchFileException missing) {
            throw new UserError("There is no configuration file " + path + ".", missing);
        } catch (JsonProcessingException malformed) {
            var where = malformed.getLocation();
            throw new UserError(
                    path + " is not good YAML at line " + where.getLineNr() + ", column " + where.getColumnNr() + ": "
                            + malformed.getOriginalMessage(),
                    malformed);
        } catch (IOException unreadable) {
            throw new UserError(
                    "The configuration file " + path + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** A typing error should not be silently without effect. */
    static void demandNames(String place, ObjectNode node, Set<String> known) {
        for (var name : (Iterable<String>) node::fieldNames) {
            if (!known.contains(name)) {
                throw new UserError(place + ": '" + name + "' is not known here; known are "
                        + String.join(", ", known.stream().sorted().toList()) + ".");
            }
        }
    }

    Optional<String> text(String name) {
        return value(name).map(JsonNode::asText);
    }

    Optional<Boolean> flag(String name) {
        return value(name).map(node -> {
            if (!node.isBoolean()) {
                throw new UserError(path + ": " + name + " is true or false, not '" + node.asText() + "'.");
            }
            return node.booleanValue();
        });
    }

    private Optional<JsonNode> value(String name) {
        var node = root.path(name);
        if (node.isContainerNode()) {
            throw new UserError(path + ": " + name + " must be a single value.");
        }
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    /** One text, or a list of them. */
    List<String> texts(String name) {
        if (!root.path(name).isArray()) {
            return text(name).stream().toList();
        }
        var texts = new ArrayList<String>();
        for (var node : root.path(name)) {
            if (!node.isValueNode()) {
                throw new UserError(path + ": " + name + " must be a list of texts.");
            }
            texts.add(node.asText());
        }
        return texts;
    }

    /** A value that an entry must have. */
    String required(ObjectNode entry, String name, String place) {
        if (!entry.path(name).isValueNode() || entry.path(name).asText().isEmpty()) {
            throw new UserError(path + ": " + place + ": every entry needs '" + name + "'.");
        }
        return entry.path(name).asText();
    }

    UserError mistake(String place, String problem) {
        return new UserError(path + ": " + place + ": " + problem);
    }

    UserError mistake(String place, String problem, IOException cause) {
        return new UserError(path + ": " + place + ": " + problem, cause);
    }

    UserError refused(String place, Failure failure) {
        return mistake(place, failure.message());
    }

    List<ObjectNode> databases() {
        return objects(path + ": databases", root.path("databases"));
    }

    static List<ObjectNode> objects(String place, JsonNode list) {
        var objects = new ArrayList<ObjectNode>();
        if (list.isMissingNode() || list.isNull()) {
            return objects;
        }
        if (!list.isArray()) {
            throw new UserError(place + " must be a list.");
        }
        for (var node : list) {
            if (!(node instanceof ObjectNode object)) {
                throw new UserError(place + ": every entry needs names and values, such as '- id: shop'.");
            }
            objects.add(object);
        }
        return objects;
    }
}
