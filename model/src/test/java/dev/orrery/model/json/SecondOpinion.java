package dev.orrery.model.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/** What the JDK thinks of UTF-8 and Jackson of JSON, with our rules on surrogates and large numbers added. */
final class SecondOpinion {
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Limits.NESTING_DEPTH_MAX)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private SecondOpinion() {}

    /** The value of a text, made of values that were built and not of text; empty when it must be refused. */
    static Optional<JsonValue> parse(byte[] text) {
        if (looksLikeAnotherEncoding(text)) {
            return Optional.empty();
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            // From bytes: given characters, Jackson takes one like U+0432 for the hexadecimal digit 2 in an escape.
            try (var parser = JACKSON.createParser(text)) {
                if (parser.nextToken() == null) {
                    return Optional.empty();
                }
                var value = value(parser);
                return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
            }
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Jackson would guess UTF-16 from a zero at the beginning, and skip a byte order mark. */
    private static boolean looksLikeAnotherEncoding(byte[] text) {
        for (int i = 0; i < Math.min(4, text.length); i++) {
            if (text[i] == 0) {
                return true;
            }
        }
        return text.length > 0 && (text[0] & 0xff) >= 0x80;
    }

    private static JsonValue value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                var object = Obj.builder();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    var name = valid(parser.currentName());
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object.build();
            }
            case START_ARRAY -> {
                var items = new ArrayList<JsonValue>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser));
                }
                yield new Arr(items);
            }
            case VALUE_STRING -> new Str(valid(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Num(finite(Double.parseDouble(parser.getText())));
            case VALUE_TRUE -> Bool.TRUE;
            case VALUE_FALSE -> Bool.FALSE;
            case VALUE_NULL -> JsonValue.NULL;
            default -> throw new IOException("not a value");
        };
    }

    private static String valid(String string) throws IOException {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(string)) {
            throw new IOException("half of a surrogate pair");
        }
        return string;
    }

    private static double finite(double number) throws IOException {
        if (Double.isInfinite(number)) {
            throw new IOException("beyond a double");
        }
        return number;
    }
}
