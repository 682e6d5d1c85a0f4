package dev.orrery.engine.key;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * One item's hold on a combination of values that a unique key allows once per logical partition: {@code tag | epk.. 00
 * 00 | partition key.. | rule:1 | digest of the values:32 -> id}.
 */
public final class UniqueClaim {
    private UniqueClaim() {}

    /** A missing value counts as null: the rule allows one item without it. */
    public static byte[] encode(LogicalPartition partition, int rule, List<JsonValue> values) {
        var canonical = values.stream()
                .map(value -> value.isUndefined() ? JsonValue.NULL : value)
                .toList();
        return new KeyWriter(128)
                .writeRaw(partition.prefix(KeySpace.UNIQUE))
                .writeByte(rule)
                .writeRaw(digest(JsonWriter.text(new JsonValue.Arr(canonical))))
                .toBytes();
    }

    // Values may be long and keys should not be; at 256 bits two different values never meet.
    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every JDK has SHA-256", missing);
        }
    }
}
