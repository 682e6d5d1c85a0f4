package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
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
        try {
            var encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException _) {
            throw new FailureException(new Failure.BadRequest("The text has half of a surrogate pair."));
        }
    }
}
