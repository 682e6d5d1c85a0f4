package dev.orrery.engine.query;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.run.SortPosition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A row of a sorted query inside a continuation token: {@code document number:8 | values}, the values being a JSON array
 * of arrays, the empty one for undefined.
 */
final class SortToken {
    /** Values beyond this are long texts, arrays or objects, which few queries sort by. */
    private static final int BYTES_MAX = 2_000;

    private SortToken() {}

    /** Empty when the values are too long for a token. */
    static Optional<byte[]> encode(SortPosition position) {
        var values = new ArrayList<JsonValue>();
        for (var value : position.values()) {
            values.add(value.isUndefined() ? Arr.EMPTY : JsonValue.array(value));
        }
        var json = JsonWriter.bytes(new Arr(values));
        return json.length > BYTES_MAX
                ? Optional.empty()
                : Optional.of(ByteBuffer.allocate(Long.BYTES + json.length)
                        .putLong(position.documentNumber())
                        .put(json)
                        .array());
    }

    static SortPosition decode(byte[] bytes, int rowsOfItem) {
        var values = (Arr) JsonReader.parse(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
        List<JsonValue> undone =
                values.items().stream().map(value -> ((Arr) value).at(0)).toList();
        return new SortPosition(undone, ByteBuffer.wrap(bytes).getLong(), rowsOfItem);
    }
}
