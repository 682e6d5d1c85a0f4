package dev.orrery.server.transfer;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SpelledMembers;
import dev.orrery.model.json.SystemProperties;
import java.util.List;

/** The text of a row on one line; numbers keep the spelling they were stored with. */
final class RowText {
    private static final List<String> EVERY_ITEM_HAS =
            List.of(SystemProperties.RID, SystemProperties.SELF, SystemProperties.ETAG, SystemProperties.TIMESTAMP);

    private RowText() {}

    /** Whether it is an item as it is stored, and not what a query made of one. */
    static boolean isWholeItem(JsonValue row) {
        return row instanceof Obj object
                && EVERY_ITEM_HAS.stream().noneMatch(name -> object.member(name).isUndefined());
    }

    static void write(JsonValue row, boolean systemProperties, JsonWriter out) {
        if (!(row instanceof Obj object)) {
            var text = JsonWriter.bytes(row);
            compact(text, 0, text.length, out);
            return;
        }
        out.raw("{");
        int empty = out.size();
        SpelledMembers.forEach(object, (name, text, start, end) -> {
            if (systemProperties || !SystemProperties.isSystemName(name)) {
                out.raw(out.size() == empty ? "" : ",").name(name);
                compact(text, start, end, out);
            }
        });
        out.raw("}");
    }

    /** Copies JSON text without the white space between values. */
    static void compact(byte[] text, int start, int end, JsonWriter out) {
        boolean inString = false;
        int from = start;
        for (int at = start; at < end; at++) {
            byte character = text[at];
            if (inString && character == '\\') {
                at++;
            } else if (character == '"') {
                inString = !inString;
            } else if (!inString && (character == ' ' || character == '\n' || character == '\r' || character == '\t')) {
                out.raw(text, from, at - from);
                from = at + 1;
            }
        }
        out.raw(text, from, end - from);
    }
}
