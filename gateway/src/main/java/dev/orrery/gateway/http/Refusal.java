package dev.orrery.gateway.http;

import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import dev.orrery.model.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;

/** What the transport itself answers when a request never reaches its handler, or the handler fails. */
enum Refusal {
    MALFORMED(400, "BadRequest", "The request is not well-formed HTTP."),
    NO_HOST(400, "BadRequest", "An HTTP/1.1 request needs exactly one Host header."),
    BAD_HOST(400, "BadRequest", "The host of a request has to be a name or an address, and at most a port behind it."),
    SEVERAL_ORIGINS(400, "BadRequest", "A request comes from one page at most, and so has one Origin header at most."),
    TIMED_OUT(408, "RequestTimeout", "The request did not arrive completely in time."),
    BODY_TOO_LARGE(413, "RequestEntityTooLarge", "The request body is too large."),
    UNKNOWN_EXPECTATION(417, "ExpectationFailed", "The only expectation known is 100-continue."),
    TOO_MUCH_AT_ONCE(MemoryBudget.shortage().failure()),
    HEAD_TOO_LARGE(431, "RequestHeaderFieldsTooLarge", "The request line and the headers are too large."),
    HANDLER_FAILED(500, "InternalServerError", "The request failed for a reason that the server's log tells."),
    UNKNOWN_CODING(501, "NotImplemented", "The only transfer coding known is chunked, alone and once."),
    TOO_MANY_CONNECTIONS(503, "ServiceUnavailable", "The server has as many connections as it can serve."),
    UNKNOWN_VERSION(505, "HttpVersionNotSupported", "The server speaks HTTP/1.1 and HTTP/1.0.");

    private final int status;
    private final int substatus;
    private final String code;
    private final String message;

    /** Not known: 0. */
    private final long retryAfterMillis;

    Refusal(int status, String code, String message) {
        this(new WireStatus(status, 0, code), message, 0);
    }

    /** What SDKs try again by themselves, and so are told in the way that they know. */
    Refusal(Failure shortage) {
        this(
                WireStatus.of(shortage),
                shortage.message(),
                shortage instanceof Failure.Throttled throttled ? throttled.retryAfterMillis() : 0);
    }

    Refusal(WireStatus wire, String message, long retryAfterMillis) {
        this.status = wire.status();
        this.substatus = wire.substatus();
        this.code = wire.code();
        this.message = message;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** The reply, with a JSON body: SDKs parse every error as JSON and look for its message. */
    HttpReply reply() {
        var json = "{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}";
        var reply = HttpReply.status(status).header("Content-Type", "application/json");
        if (retryAfterMillis > 0) {
            reply.header("x-ms-substatus", Integer.toString(substatus))
                    .header("x-ms-retry-after-ms", Long.toString(retryAfterMillis));
        }
        return reply.body(json.getBytes(StandardCharsets.US_ASCII)).build();
    }
}
