package dev.orrery.model.definition;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies for tests: from files, and as short changes to a plain container. */
final class DefinitionTexts {
    private DefinitionTexts() {}

    static Obj object(String json) {
        return (Obj) JsonReader.parse(json);
    }

    static Obj read(String file) {
        return object(text(file));
    }

    /** The lines of a table without comments and blank lines. */
    static List<String> table(String file) {
        return text(file)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private static String text(String file) {
        try (var stream = DefinitionTexts.class.getResourceAsStream(file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A plain container with these members; null removes one. */
    static Obj container(String members) {
        var body = Obj.builder().put("id", "c").put("partitionKey", object("{\"paths\":[\"/pk\"]}"));
        object(members).members().forEach((name, value) -> {
            if (value.equals(JsonValue.NULL)) {
                body.remove(name);
            } else {
                body.put(name, value);
            }
        });
        return body.build();
    }

    /** The text without regard to blanks, but with regard to the order of members. */
    static String spelled(JsonValue value) {
        return JsonWriter.text(rebuilt(value));
    }

    private static JsonValue rebuilt(JsonValue value) {
        return switch (value) {
            case Arr(var items) ->
                new Arr(items.stream().map(DefinitionTexts::rebuilt).toList());
            case Obj object -> {
                var copy = Obj.builder();
                object.members().forEach((name, member) -> copy.put(name, rebuilt(member)));
                yield copy.build();
            }
            case JsonValue scalar -> scalar;
        };
    }
}
