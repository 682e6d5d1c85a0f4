package dev.orrery.server.transfer;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.server.transfer.CsvColumns.Field;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a field of a table means: without quotes {@code 7}, {@code true} and {@code null} are what they look like, in
 * quotes they are text; a JSON array or object is one in either case, since most of them cannot do without quotes.
 */
final class FieldType {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private FieldType() {}

    static void write(Field field, JsonWriter out) {
        var text = field.text();
        if (isStructure(text) || (!field.quoted() && isScalar(text))) {
            var json = text.getBytes(StandardCharsets.UTF_8);
            out.raw(json, 0, json.length);
        } else {
            out.string(text);
        }
    }

    /** Whether a string has to be in quotes, because it would be taken for something else. */
    static boolean isScalar(String text) {
        return text.equals("true") || text.equals("false") || text.equals("null") || isNumber(text);
    }

    private static boolean isNumber(String text) {
        char first = text.isEmpty() ? ' ' : text.charAt(0);
        return (first == '-' || (first >= '0' && first <= '9'))
                && NUMBER.matcher(text).matches()
                && Double.isFinite(Double.parseDouble(text));
    }

    private static boolean isStructure(String text) {
        if (!text.startsWith("[") && !text.startsWith("{")) {
            return false;
        }
        try {
            JsonScanner.scan(text.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (FailureException _) {
            return false;
        }
    }
}
