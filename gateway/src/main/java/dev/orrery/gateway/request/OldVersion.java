package dev.orrery.gateway.request;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKeyDefinition;

/** What clients of old versions of the protocol say in another way, or do not know how to say. */
final class OldVersion {
    /** The last version in which a container may do without a partition key. Versions are dates, which order as text. */
    private static final String WITHOUT_KEYS_LAST = "2018-09-17";

    private static final String KEY = "partitionKey";

    private OldVersion() {}

    static boolean is(String version) {
        return version.strip().compareTo(WITHOUT_KEYS_LAST) <= 0;
    }

    /** The definition of a container as the versions since would say it. */
    static byte[] container(byte[] body) {
        if (!(JsonReader.parse(body) instanceof Obj definition)
                || !(definition.member(KEY) instanceof JsonValue.Undefined
                        || definition.member(KEY) instanceof JsonValue.Null)) {
            return body;
        }
        return JsonWriter.bytes(Obj.builder()
                .putAll(definition)
                .put(KEY, PartitionKeyDefinition.NONE.asValue())
                .build());
    }
}
