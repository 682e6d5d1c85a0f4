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
import java.util.List;

/** From text to JSON values and back. */
final class ConversionFunctions {
    static final List<Builtin> TABLE = List.of(
            parse("STRINGTOARRAY", "STRINGTOARRAY('[1,\"a\"]')", "[1,\"a\"]", Arr.class),
            parse("STRINGTOBOOLEAN", "STRINGTOBOOLEAN(' true ')", "true", Bool.class),
            parse("STRINGTONULL", "STRINGTONULL('null')", "null", Null.class),
            parse("STRINGTONUMBER", "STRINGTONUMBER('1e2')", "100", Num.class),
            parse("STRINGTOOBJECT", "STRINGTOOBJECT('{\"a\":1}')", "{\"a\":1}", Obj.class),
            Builtin.row(
                    Builtin.Group.STRING,
                    "TOSTRING",
                    1,
                    1,
                    "TOSTRING([1, 'a'])",
                    "\"[1,\\\"a\\\"]\"",
                    (values, _) -> values[0] instanceof Str ? values[0] : new Str(JsonWriter.text(values[0]))));

    private ConversionFunctions() {}

    private static Builtin parse(String name, String example, String result, Class<? extends JsonValue> wanted) {
        return Builtin.row(Builtin.Group.STRING, name, 1, 1, example, result, (values, _) -> parse(values[0], wanted));
    }

    private static JsonValue parse(JsonValue text, Class<? extends JsonValue> wanted) {
        if (!(text instanceof Str(String json))) {
            return JsonValue.UNDEFINED;
        }
        try {
            var value = JsonReader.parse(json);
            return wanted.isInstance(value) ? value : JsonValue.UNDEFINED;
        } catch (FailureException _) {
            // Whether a text is JSON is the very question here, and "no" is an answer.
            return JsonValue.UNDEFINED;
        }
    }
}
