package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from an object to a value inside nested objects, written as {@code /a/b} or, where a name has odd characters,
 * {@code /"a b"/c}; it does not lead into arrays.
 *
 * @param text the path exactly as it was given, because clients compare definitions as text
 */
public record JsonPath(List<String> names, String text) {
    public JsonPath {
        names = List.copyOf(names);
    }

    public static JsonPath parse(String text) {
        var names = new ArrayList<String>();
        int at = 0;
        do {
            at = new Segment(text, at).read(names);
        } while (at < text.length());
        return new JsonPath(names, text);
    }

    /** The value that the path leads to, undefined when there is nothing. */
    public JsonValue in(JsonValue root) {
        var value = root;
        for (int i = 0; i < names.size(); i++) {
            if (!(value instanceof JsonValue.Obj object)) {
                return JsonValue.UNDEFINED;
            }
            value = object.member(names.get(i));
        }
        return value;
    }

    /** Two spellings of the same way are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof JsonPath that && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** One slash and the name behind it. */
    private record Segment(String path, int start) {
        int read(List<String> names) {
            if (start >= path.length() || path.charAt(start) != '/') {
                throw illegal("must begin with a slash");
            }
            if (start + 1 == path.length() || path.charAt(start + 1) == '/') {
                throw illegal("has an empty segment");
            }
            char first = path.charAt(start + 1);
            return first == '"' || first == '\'' ? quoted(names, first) : plain(names);
        }

        private int plain(List<String> names) {
            int slash = path.indexOf('/', start + 1);
            int end = slash < 0 ? path.length() : slash;
            names.add(path.substring(start + 1, end));
            return end;
        }

        private int quoted(List<String> names, char quote) {
            var name = new StringBuilder();
            for (int at = start + 2; at < path.length(); at++) {
                char character = path.charAt(at);
                if (character == quote) {
                    return closed(names, name.toString(), at + 1);
                }
                boolean escapes = character == '\\'
                        && at + 1 < path.length()
                        && (path.charAt(at + 1) == quote || path.charAt(at + 1) == '\\');
                if (escapes) {
                    at++;
                }
                name.append(path.charAt(at));
            }
            throw illegal("has a quote that is not closed");
        }

        private int closed(List<String> names, String name, int end) {
            if (name.isEmpty()) {
                throw illegal("has an empty segment");
            }
            if (end < path.length() && path.charAt(end) != '/') {
                throw illegal("has characters between a quote and the next slash");
            }
            names.add(name);
            return end;
        }

        private FailureException illegal(String complaint) {
            return new FailureException(new Failure.BadRequest("The path '" + path + "' " + complaint + "."));
        }
    }
}
