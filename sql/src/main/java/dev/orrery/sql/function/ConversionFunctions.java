package dev.orrery.sql.function;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.memory.Workspace;
import java.util.List;

/** From text to JSON values and back. */
final class ConversionFunctions {
    /** For each character: as UTF-8, and its part in the list of where members are. */
    private static final int PARSED_BYTES = 12;

    static final List<Builtin> TABLE = List.of(
            parse(
                    "STRINGTOARRAY",
                    "text",
                    "The array that a text is as JSON.",
                    "STRINGTOARRAY('[1,\"a\"]')",
                    "[1,\"a\"]",
                    Arr.class),
            parse(
                    "STRINGTOBOOLEAN",
                    "text",
                    "The truth value that a text is as JSON.",
                    "STRINGTOBOOLEAN(' true ')",
                    "true",
                    Bool.class),
            parse(
                    "STRINGTONULL",
                    "text",
                    "Null, if that is what a text is as JSON.",
                    "STRINGTONULL('null')",
                    "null",
                    Null.class),
            parse(
                    "STRINGTONUMBER",
                    "text",
                    "The number that a text is as JSON.",
                    "STRINGTONUMBER('1e2')",
                    "100",
                    Num.class),
            parse(
                    "STRINGTOOBJECT",
                    "text",
                    "The object that a text is as JSON.",
                    "STRINGTOOBJECT('{\"a\":1}')",
                    "{\"a\":1}",
                    Obj.class),
            Builtin.row(
                    Builtin.Group.STRING,
                    "TOSTRING",
                    "value",
                    "The JSON text of a value; a text itself remains as it is.",
                    "TOSTRING([1, 'a'])",
                    "\"[1,\\\"a\\\"]\"",
                    (values, context) -> values[0] instanceof Str ? values[0] : text(values[0], context.workspace())));

    private ConversionFunctions() {}

    private static Builtin parse(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            Class<? extends JsonValue> wanted) {
        return Builtin.row(
                Builtin.Group.STRING,
                name,
                parameters,
                description,
                example,
                result,
                (values, context) -> parse(values[0], wanted, context.workspace()));
    }

    private static JsonValue text(JsonValue value, Workspace workspace) {
        // The buffer that has become too small, the next one, and the text, two bytes for each of its characters.
        return new Str(new JsonWriter((_, capacity) -> workspace.build(3L * capacity))
                .value(value)
                .toText());
    }

    private static JsonValue parse(JsonValue text, Class<? extends JsonValue> wanted, Workspace workspace) {
        if (!(text instanceof Str(String json))) {
            return JsonValue.UNDEFINED;
        }
        workspace.build((long) PARSED_BYTES * json.length());
        try {
            var value = JsonReader.parse(json);
            return wanted.isInstance(value) ? value : JsonValue.UNDEFINED;
        } catch (FailureException _) {
            // Whether a text is JSON is the very question here, and "no" is an answer.
            return JsonValue.UNDEFINED;
        }
    }
}
