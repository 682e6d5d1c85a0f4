package dev.orrery.server.transfer;

import java.util.ArrayList;
import java.util.List;

/** The name of a column: properties from the outside in, with dots between; a backslash keeps a dot that is in a name. */
final class PropertyName {
    private PropertyName() {}

    static List<String> parts(String name) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        for (int at = 0; at < name.length(); at++) {
            char character = name.charAt(at);
            if (character == '.') {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                boolean escape = character == '\\' && at + 1 < name.length();
                part.append(escape ? name.charAt(++at) : character);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    static String join(String outer, String name) {
        var escaped = name.replace("\\", "\\\\").replace(".", "\\.");
        return outer.isEmpty() ? escaped : outer + "." + escaped;
    }
}
