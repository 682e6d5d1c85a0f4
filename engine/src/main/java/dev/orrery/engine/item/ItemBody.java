package dev.orrery.engine.item;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonScan;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.charset.StandardCharsets;

/**
 * An item as a client sent it, read and checked; done before the item waits in a lane.
 *
 * @param ttlSeconds its own time to live: -1 for never, 0 when it has none
 */
record ItemBody(JsonScan scan, Obj json, String id, int ttlSeconds, int sizeBytes) {

    static ItemBody read(byte[] body) {
        if (body.length > Limits.ITEM_BYTES_MAX) {
            throw new FailureException(new Failure.TooLarge(
                    "The item has " + body.length + " bytes; the limit is " + Limits.ITEM_BYTES_MAX + "."));
        }
        if (body.length == 0) {
            throw bad("The request body is empty; a JSON object is needed.");
        }
        var scan = JsonScanner.scan(body);
        var json = scan.asObject("An item");
        return new ItemBody(scan, json, id(json.member("id")), ttl(json.member("ttl")), body.length);
    }

    private static String id(JsonValue value) {
        if (value.isUndefined()) {
            throw bad("The required property 'id' is missing.");
        }
        if (!(value instanceof Str(var id))) {
            throw bad("The property 'id' must be a string.");
        }
        if (id.isEmpty()) {
            throw bad("The property 'id' must not be empty.");
        }
        // Whatever else stands in an id can be written in an address with escapes.
        if (id.indexOf('\\') >= 0) {
            throw bad("The property 'id' must not contain a backslash.");
        }
        if (id.getBytes(StandardCharsets.UTF_8).length > Limits.ITEM_ID_BYTES_MAX) {
            throw bad("The property 'id' is longer than " + Limits.ITEM_ID_BYTES_MAX + " bytes.");
        }
        return id;
    }

    private static int ttl(JsonValue value) {
        return switch (value) {
            case JsonValue.Undefined _ -> 0;
            case Num(double ttl, var _)
            when ttl == Math.rint(ttl) && (ttl == -1 || (ttl > 0 && ttl <= Limits.TIME_TO_LIVE_SECONDS_MAX)) ->
                (int) ttl;
            case JsonValue.Defined _ ->
                throw bad(
                        "The input ttl is invalid: the property 'ttl' must be missing, -1 for never, or a whole number"
                                + " of seconds from 1 to " + Limits.TIME_TO_LIVE_SECONDS_MAX + ".");
        };
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
