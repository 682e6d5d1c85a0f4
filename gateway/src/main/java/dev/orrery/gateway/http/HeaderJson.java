package dev.orrery.gateway.http;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import java.util.HexFormat;

/** JSON as a header can hold it: on one line, with everything beyond ASCII escaped. */
public final class HeaderJson {
    private HeaderJson() {}

    public static String text(JsonValue value) {
        var json = JsonWriter.text(value);
        var text = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at++) {
            char character = json.charAt(at);
            if (character < ' ') {
                text.append(' '); // Strings hold no such characters as they are, so this is between values.
            } else if (character < 0x7f) {
                text.append(character);
            } else {
                text.append("\\u").append(HexFormat.of().toHexDigits(character));
            }
        }
        return text.toString();
    }
}
