package dev.orrery.gateway.request;

import dev.orrery.gateway.request.BatchEntry.Kind;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;

/** Reads a batch that is a JSON array with one object for each operation. */
final class JsonBatch {
    private JsonBatch() {}

    static Iterator<BatchEntry> entries(byte[] body) {
        if (!(JsonReader.parse(body) instanceof JsonValue.Arr(var operations))) {
            throw BatchEntry.bad("A batch must be a JSON array of operations.");
        }
        return operations.stream().map(JsonBatch::entry).iterator();
    }

    private static BatchEntry entry(JsonValue operation) {
        if (!(operation instanceof JsonValue.Obj text)) {
            throw BatchEntry.bad("It must be a JSON object.");
        }
        // Taken apart at once: each look at a single member would walk over the whole item again.
        var object = JsonValue.Obj.builder().putAll(text).build();
        return new BatchEntry(
                kind(object),
                string(object, "id"),
                string(object, "partitionKey"),
                string(object, "ifMatch"),
                string(object, "ifNoneMatch"),
                string(object, "indexingDirective"),
                text(object.member("resourceBody")),
                object.member("minimalReturnPreference").equals(JsonValue.Bool.TRUE));
    }

    private static Kind kind(JsonValue.Obj operation) {
        var type = string(operation, "operationType").orElseThrow(() -> BatchEntry.bad("It has no operationType."));
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "create" -> Kind.CREATE;
            case "patch" -> Kind.PATCH;
            case "read" -> Kind.READ;
            case "delete" -> Kind.DELETE;
            case "replace" -> Kind.REPLACE;
            case "upsert" -> Kind.UPSERT;
            default -> throw BatchEntry.bad("It has an operationType that does not exist: " + type);
        };
    }

    private static Optional<byte[]> text(JsonValue body) {
        return body.isUndefined() ? Optional.empty() : Optional.of(JsonWriter.bytes(body));
    }

    private static Optional<String> string(JsonValue.Obj operation, String member) {
        return switch (operation.member(member)) {
            case JsonValue.Undefined _, JsonValue.Null _ -> Optional.empty();
            case JsonValue.Str(String text) -> Optional.of(text);
            case JsonValue.Bool _, JsonValue.Num _, JsonValue.Arr _, JsonValue.Obj _ ->
                throw BatchEntry.bad("Its " + member + " must be a string.");
        };
    }
}
