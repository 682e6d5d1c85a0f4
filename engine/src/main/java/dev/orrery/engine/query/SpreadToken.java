package dev.orrery.engine.query;

import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;

/**
 * A continuation token for clients that leave it to the server to go from range to range: {@code {"token": "..", "range":
 * {"min": "..", "max": ".."}}}, with the range of effective partition keys that is read. Some of them take it apart.
 */
final class SpreadToken {
    private static final int WRAPPING_CHARACTERS_MAX = 1_000;

    private SpreadToken() {}

    /** The token itself, which may be wrapped. */
    static String unwrapped(String sent) {
        if (!sent.startsWith("{")) {
            return sent;
        }
        if (sent.length() > Limits.CONTINUATION_CHARACTERS_MAX + WRAPPING_CHARACTERS_MAX) {
            throw Continuation.refused();
        }
        try {
            if (JsonReader.parse(sent) instanceof Obj wrapping && wrapping.member("token") instanceof Str(var token)) {
                return token;
            }
        } catch (FailureException malformed) {
            throw Continuation.refused();
        }
        throw Continuation.refused();
    }

    /** The token as the client of a request is to have it. */
    static String of(String token, Scope asked, ScopeSlices covered) {
        if (asked.rangeId().isPresent() || covered.access() == Access.PARTITIONS) {
            return token;
        }
        var range = Obj.builder()
                .put(
                        "min",
                        covered.slices().getFirst().route().range().epks().min().hex())
                .put(
                        "max",
                        covered.slices().getLast().route().range().epks().max().hex())
                .build();
        return JsonWriter.text(
                Obj.builder().put("token", token).put("range", range).build());
    }
}
