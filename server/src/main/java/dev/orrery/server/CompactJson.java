package dev.orrery.server;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;

/** JSON on one line and without spaces, however it was written; numbers keep their spelling. */
final class CompactJson {
    private CompactJson() {}

    static String text(JsonValue value) {
        var json = JsonWriter.text(value);
        var compact = new StringBuilder(json.length());
        boolean inString = false;
        for (int at = 0; at < json.length(); at++) {
            char character = json.charAt(at);
            if (inString && character == '\\') {
                compact.append(character).append(json.charAt(++at));
                continue;
            }
            inString ^= character == '"';
            if (inString || character > ' ') {
                compact.append(character);
            }
        }
        return compact.toString();
    }
}
