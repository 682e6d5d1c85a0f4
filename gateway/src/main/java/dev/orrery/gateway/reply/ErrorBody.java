package dev.orrery.gateway.reply;

import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;

/** Writes a refusal as SDKs expect it: an object with {@code code} and {@code message}. */
final class ErrorBody {
    private static final String ALLOW_SEVERAL =
            " Please set x-ms-documentdb-query-enablecrosspartition to true, specify"
                    + " x-ms-documentdb-partitionkey, or revise your query to avoid this exception.";

    /** Clients look for this text, to the end of its line. */
    private static final String TOO_LARGE = "Message: {\"Errors\":[\"Request size is too large\"]}\r\n";

    private ErrorBody() {}

    static byte[] json(Failure failure, String activityId, String agent) {
        var body = Obj.builder()
                .put("code", WireStatus.of(failure).code())
                .put("message", message(failure) + "\r\nActivityId: " + activityId + ", " + agent);
        if (failure instanceof Failure.CrossPartitionQuery(var _, var plan)) {
            body.put("additionalErrorInfo", plan);
        }
        return JsonWriter.bytes(body.build());
    }

    /** What a person reads; for a wrong query, a small document that tools can read as well. */
    static String message(Failure failure) {
        if (failure instanceof Failure.TooLarge) {
            return TOO_LARGE + failure.message();
        }
        if (failure instanceof Failure.CrossPartitionDisabled) {
            return failure.message() + ALLOW_SEVERAL;
        }
        if (!(failure instanceof Failure.QuerySyntax syntax)) {
            return failure.message();
        }
        var location = Obj.builder()
                .put("start", syntax.start())
                .put("end", syntax.end())
                .build();
        var error = Obj.builder()
                .put("severity", "Error")
                .put("location", location)
                .put("code", syntax.code())
                .put("message", syntax.message())
                .build();
        return "Message: "
                + JsonWriter.text(
                        Obj.builder().put("errors", JsonValue.array(error)).build());
    }
}
