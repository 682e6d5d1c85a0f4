package dev.orrery.sql.function;

import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;

/** Functions that fit nowhere else. */
final class OtherFunctions {
    static final List<Builtin> TABLE = List.of(
            Builtin.row(
                    Builtin.Group.ITEM,
                    "DOCUMENTID",
                    "item",
                    "The number of an item, unique within its physical partition, which is also a part of its `_rid`.",
                    "DOCUMENTID(c)",
                    "13",
                    (values, _) -> documentNumber(values[0])),
            Builtin.lenient(
                    Builtin.Group.CONDITIONAL,
                    "IIF",
                    "condition, then, otherwise",
                    "One of two values: the first if a condition is true, and the second if it is anything else.",
                    "IIF(1 < 2, 'yes', 'no')",
                    "\"yes\"",
                    (values, _) -> values[0].equals(Bool.TRUE) ? values[1] : values[2]));

    private OtherFunctions() {}

    /** The number of an item within its container, which is a part of its {@code _rid}. */
    private static JsonValue documentNumber(JsonValue item) {
        return item instanceof Obj object && object.member("_rid") instanceof Str(String text)
                ? Rid.find(text)
                        .filter(rid -> rid.kind() == Rid.Kind.DOCUMENT)
                        .<JsonValue>map(rid -> new Num(rid.documentNumber()))
                        .orElse(JsonValue.UNDEFINED)
                : JsonValue.UNDEFINED;
    }
}
