package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the body of a batch: a JSON array with one object for each operation. */
final class BatchReader {
    /** First byte of the binary form that the .NET SDK sends; no JSON text begins with it. */
    private static final byte HYBRID_ROW = (byte) 0x81;

    private BatchReader() {}

    static List<BatchItem> read(byte[] body) {
        if (body.length > Limits.BATCH_BYTES_MAX) {
            throw new FailureException(new Failure.TooLarge(
                    "A batch may have " + Limits.BATCH_BYTES_MAX + " bytes, this one has " + body.length + "."));
        }
        if (body.length > 0 && body[0] == HYBRID_ROW) {
            throw new FailureException(new Failure.Unsupported(
                    "Batches in the binary HybridRow form, which the .NET SDK sends, are not supported yet."));
        }
        if (!(JsonReader.parse(body) instanceof JsonValue.Arr(var operations))) {
            throw bad("A batch must be a JSON array of operations.");
        }
        if (operations.isEmpty()) {
            throw bad("A batch must have at least one operation.");
        }
        if (operations.size() > Limits.BATCH_OPERATIONS_MAX) {
            throw bad("A batch may have " + Limits.BATCH_OPERATIONS_MAX + " operations, this one has "
                    + operations.size() + ".");
        }
        var items = new ArrayList<BatchItem>(operations.size());
        for (var operation : operations) {
            items.add(item(operation));
        }
        return items;
    }

    private static BatchItem item(JsonValue operation) {
        if (!(operation instanceof JsonValue.Obj text)) {
            throw bad("Each operation of a batch must be a JSON object.");
        }
        // Taken apart at once: each look at a single member would walk over the whole item again.
        var object = JsonValue.Obj.builder().putAll(text).build();
        return new BatchItem(
                action(object),
                string(object, "partitionKey").map(PartitionKey::parse),
                object.member("minimalReturnPreference").equals(JsonValue.Bool.TRUE));
    }

    private static BatchAction action(JsonValue.Obj operation) {
        var precondition = new Precondition(string(operation, "ifMatch"), string(operation, "ifNoneMatch"));
        var type = string(operation, "operationType")
                .orElseThrow(() -> bad("An operation of a batch has no operationType."));
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "read" -> new BatchAction.Read(id(operation), precondition);
            case "create" -> write(operation, new ItemWrite.Create(text(operation), precondition));
            case "upsert" -> write(operation, new ItemWrite.Upsert(text(operation), precondition));
            case "replace" -> write(operation, new ItemWrite.Replace(id(operation), text(operation), precondition));
            case "delete" -> write(operation, new ItemWrite.Delete(id(operation), precondition));
            case "patch" ->
                write(operation, new ItemWrite.Patch(id(operation), JsonPatch.parse(body(operation)), precondition));
            default -> throw bad("A batch has an operation of a type that does not exist: " + type);
        };
    }

    private static BatchAction write(JsonValue.Obj operation, ItemWrite write) {
        return new BatchAction.Write(write, Directives.of(string(operation, "indexingDirective")));
    }

    private static String id(JsonValue.Obj operation) {
        return string(operation, "id")
                .orElseThrow(() -> bad("An operation of a batch that names an existing item has no id."));
    }

    /** The text of the item as it was sent; whether it is a proper item is for the engine to say. */
    private static byte[] text(JsonValue.Obj operation) {
        return JsonWriter.bytes(body(operation));
    }

    private static JsonValue body(JsonValue.Obj operation) {
        var body = operation.member("resourceBody");
        if (body.isUndefined()) {
            throw bad("An operation of a batch that writes an item has no resourceBody.");
        }
        return body;
    }

    private static Optional<String> string(JsonValue.Obj operation, String member) {
        return switch (operation.member(member)) {
            case JsonValue.Undefined _, JsonValue.Null _ -> Optional.empty();
            case JsonValue.Str(String text) -> text.isEmpty() ? Optional.empty() : Optional.of(text);
            case JsonValue.Bool _, JsonValue.Num _, JsonValue.Arr _, JsonValue.Obj _ ->
                throw bad("The " + member + " of an operation of a batch must be a string.");
        };
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
