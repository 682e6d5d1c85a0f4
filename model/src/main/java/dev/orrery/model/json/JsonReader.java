package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.charset.StandardCharsets;

/** Turns JSON text into values; what is acceptable is decided by {@link JsonScanner}. */
public final class JsonReader {
    private JsonReader() {}

    /** The value of a UTF-8 text, which the value refers to and which must not be changed from now on. */
    public static JsonValue parse(byte[] text) {
        return JsonScanner.scan(text).asValue();
    }

    public static JsonValue parse(String text) {
        return parse(utf8(text));
    }

    private static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!JsonWriter.isPair(text, i)) {
                    throw new FailureException(new Failure.BadRequest("The text has half of a surrogate pair."));
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
