package dev.orrery.gateway.client;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;

/** What a server says when it refuses a request. */
final class ReplyMessage {
    private ReplyMessage() {}

    /** Without the line for the server's log. */
    static String of(byte[] body) {
        try {
            if (JsonReader.parse(body) instanceof Obj error && error.member("message") instanceof Str(var message)) {
                int tail = message.indexOf("\r\nActivityId:");
                return tail < 0 ? message : message.substring(0, tail);
            }
        } catch (FailureException _) {
            return "The reply is not one of the protocol.";
        }
        return "The reply has no message.";
    }
}
