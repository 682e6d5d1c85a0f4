package dev.orrery.server;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import java.util.List;
import java.util.Optional;

/** Reads JSON that somebody wrote on the command line. */
final class JsonOption {
    private JsonOption() {}

    static JsonValue read(String what, String given) {
        try {
            return JsonReader.parse(given);
        } catch (FailureException bad) {
            throw new UserError(
                    what + " is not JSON: " + given
                            + "\nA string needs its quotes, and these need some from the shell: '\"" + given + "\"'",
                    bad);
        }
    }

    /** The components of a partition key, which is an array only if there are several; null when it was not given. */
    static Optional<Arr> partitionKey(String given) {
        return Optional.ofNullable(given)
                .map(text -> read("The value of --partition-key", text))
                .map(value -> value instanceof Arr components ? components : new Arr(List.of(value)));
    }
}
