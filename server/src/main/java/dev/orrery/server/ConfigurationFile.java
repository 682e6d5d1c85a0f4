package dev.orrery.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
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
            "defaultConsistency",
            "advertise",
            "certificateNames",
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
        var node = root.path(name);
        return node.isValueNode() && !node.isNull() ? Optional.of(node.asText()) : Optional.empty();
    }

    List<String> texts(String name) {
        var texts = new ArrayList<String>();
        root.path(name).forEach(node -> texts.add(node.asText()));
        return texts;
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
