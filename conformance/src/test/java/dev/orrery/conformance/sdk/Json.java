package dev.orrery.conformance.sdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Items written as text, with single quotes so that they read well in Java. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> SYSTEM_PROPERTIES = List.of("_rid", "_self", "_etag", "_ts", "_attachments");

    private Json() {}

    static ObjectNode object(String text) {
        try {
            return MAPPER.readValue(text.replace('\'', '"'), ObjectNode.class);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(text, malformed);
        }
    }

    /** What the user wrote of an item that was read. */
    static ObjectNode withoutSystemProperties(ObjectNode item) {
        return item.deepCopy().remove(SYSTEM_PROPERTIES);
    }
}
