package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/** Functions that fit nowhere else. */
final class OtherFunctions {
    private static final int ITEM_RID_BYTES = 16;

    static final List<Builtin> TABLE = List.of(
            Builtin.row(
                    Builtin.Group.ITEM,
                    "DOCUMENTID",
                    1,
                    1,
                    "DOCUMENTID({_rid: 'AQIDBIAAAAENAAAAAAAAAA=='})",
                    "13",
                    (values, _) -> documentNumber(values[0])),
            Builtin.lenient(
                    Builtin.Group.CONDITIONAL,
                    "IIF",
                    3,
                    3,
                    "IIF(1 < 2, 'yes', 'no')",
                    "\"yes\"",
                    (values, _) -> values[0].equals(Bool.TRUE) ? values[1] : values[2]));

    private OtherFunctions() {}

    /** The number of an item within its container, which is the last half of its {@code _rid}. */
    private static JsonValue documentNumber(JsonValue item) {
        if (!(item instanceof Obj object) || !(object.member("_rid") instanceof Str(String rid))) {
            return JsonValue.UNDEFINED;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(rid.replace('-', '/'));
        } catch (IllegalArgumentException _) {
            // An object with a _rid of its own making is no item.
            return JsonValue.UNDEFINED;
        }
        return bytes.length == ITEM_RID_BYTES
                ? new Num(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES))
                : JsonValue.UNDEFINED;
    }
}
