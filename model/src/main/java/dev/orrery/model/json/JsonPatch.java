package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A partial update of an item: operations that are all done in their order, or not at all. */
public final class JsonPatch {
    private static final String ID = "id";

    /**
     * @param title number, name and path of the operation, for complaints
     * @param touched the paths where it changes something
     */
    private record Operation(String title, List<JsonPointer> touched, Consumer<PatchTree> effect) {}

    private final List<Operation> operations;
    private final Optional<String> condition;
    private final JsonValue source;

    private JsonPatch(JsonValue source, List<Operation> operations, Optional<String> condition) {
        this.source = source;
        this.operations = List.copyOf(operations);
        this.condition = condition;
    }

    /** Reads both forms that clients send: an object with operations and a condition, or the operations alone. */
    public static JsonPatch parse(JsonValue body) {
        return switch (body) {
            case Arr(var operations) -> new JsonPatch(body, operations(operations), Optional.empty());
            case Obj object
            when object.member("operations") instanceof Arr(var operations) ->
                new JsonPatch(body, operations(operations), condition(object.member("condition")));
            case Obj _, JsonValue.Undefined _, JsonValue.Null _, JsonValue.Bool _, Num _, Str _ ->
                throw refused("A patch must be an array of operations, or an object with an array named operations.");
        };
    }

    /** What {@link #parse} reads. */
    public byte[] toBytes() {
        return JsonWriter.bytes(source);
    }

    /** How many operations there are. */
    public int size() {
        return operations.size();
    }

    private static List<Operation> operations(List<JsonValue> items) {
        if (items.isEmpty() || items.size() > Limits.PATCH_OPERATIONS_MAX) {
            throw refused("A patch must have 1 to " + Limits.PATCH_OPERATIONS_MAX + " operations, this one has "
                    + items.size() + ".");
        }
        var operations = new ArrayList<Operation>();
        for (var item : items) {
            var title = "Patch operation " + (operations.size() + 1);
            if (!(item instanceof Obj operation)) {
                throw refused(title + " must be an object.");
            }
            operations.add(operation(operation, title));
        }
        return operations;
    }

    private static Operation operation(Obj operation, String number) {
        var name = string(operation, "op", number);
        var path = JsonPointer.parse(string(operation, "path", number));
        var title = number + " (" + name + " " + path + ")";
        return switch (name) {
            case "add" -> {
                var value = value(operation, title);
                yield new Operation(title, List.of(path), tree -> tree.add(path, value));
            }
            case "set" -> {
                var value = value(operation, title);
                yield new Operation(title, List.of(path), tree -> tree.set(path, value));
            }
            case "replace" -> {
                var value = value(operation, title);
                yield new Operation(title, List.of(path), tree -> tree.replace(path, value));
            }
            case "remove" -> new Operation(title, List.of(path), tree -> tree.remove(path));
            case "incr", "increment" -> {
                var amount = value(operation, title);
                if (!amount.isNumber()) {
                    throw refused(title + ": the value must be a number.");
                }
                yield new Operation(title, List.of(path), tree -> tree.increment(path, amount));
            }
            case "move" -> {
                var from = JsonPointer.parse(string(operation, "from", title));
                yield new Operation(title, List.of(from, path), tree -> tree.move(from, path));
            }
            default ->
                throw refused(number + ": '" + name
                        + "' is not an operation; they are add, set, replace, remove, incr and move.");
        };
    }

    private static String string(Obj operation, String name, String title) {
        if (operation.member(name) instanceof Str(String text)) {
            return text;
        }
        throw refused(title + ": '" + name + "' must be a string.");
    }

    private static RawJson value(Obj operation, String title) {
        if (operation.member("value").isUndefined()) {
            throw refused(title + ": there must be a value.");
        }
        return RawJson.ofMember(operation, "value");
    }

    private static Optional<String> condition(JsonValue value) {
        return switch (value) {
            case JsonValue.Undefined _, JsonValue.Null _ -> Optional.empty();
            case Str(String text) -> Optional.of(text);
            case JsonValue.Bool _, Num _, Arr _, Obj _ -> throw refused("The condition of a patch must be a string.");
        };
    }

    /** What must hold for the item, in the query language. */
    public Optional<String> condition() {
        return condition;
    }

    /**
     * The item after all operations. What they do not touch keeps its order and spelling.
     *
     * @param partitionKeyPaths values that make the item's place, and that no operation may change
     */
    public Obj apply(Obj item, List<JsonPath> partitionKeyPaths) {
        var tree = new PatchTree(item);
        for (var operation : operations) {
            for (var path : operation.touched) {
                protect(operation, path, partitionKeyPaths);
            }
            try {
                operation.effect.accept(tree);
            } catch (PatchTree.Refusal refusal) {
                throw refused(operation.title + ": " + refusal.getMessage() + ".");
            }
        }
        return tree.result();
    }

    private static void protect(Operation operation, JsonPointer path, List<JsonPath> partitionKeyPaths) {
        var first = path.tokens().getFirst();
        if (first.equals(ID)) {
            throw refused(operation.title + ": the id cannot be changed.");
        }
        if (SystemProperties.isSystemName(first)) {
            throw refused(operation.title + ": the system property '" + first + "' cannot be changed.");
        }
        for (var key : partitionKeyPaths) {
            if (path.meets(key.names())) {
                throw refused(operation.title + ": the partition key '" + key + "' cannot be changed.");
            }
        }
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
