package dev.orrery.gateway.direct;

import dev.orrery.model.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The first exchange of a connection: the client says which protocol it speaks, the server who it is. */
final class Introduction {
    private static final int PROTOCOL_VERSION = 0x00;
    private static final int CLIENT_VERSION = 0x01;
    private static final int SERVER_AGENT = 0x02;
    private static final int SERVER_VERSION = 0x03;
    private static final int IDLE_SECONDS = 0x04;
    private static final int UNAUTHENTICATED_SECONDS = 0x05;

    private static final long PROTOCOL = 1;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    private Introduction() {}

    /** Why the client is not let in, if it is not. */
    static Optional<String> refusal(RequestFrame context) {
        var version = context.tokens().number(PROTOCOL_VERSION);
        return version.equals(Optional.of(PROTOCOL))
                ? Optional.empty()
                : Optional.of("The client speaks version "
                        + version.map(String::valueOf).orElse("(none)")
                        + " of the protocol of Direct mode, this server only version " + PROTOCOL + ".");
    }

    /** A refusal has a payload that no token announces. */
    static ByteBuf reply(ByteBufAllocator allocator, RequestFrame context, Optional<String> refusal) {
        var out = allocator.buffer();
        new TokenWriter(out, refusal.isEmpty() ? OK : BAD_REQUEST, context.activityId())
                .number(PROTOCOL_VERSION, TokenType.ULONG, PROTOCOL)
                .text(
                        CLIENT_VERSION,
                        TokenType.SMALL_STRING,
                        context.tokens().text(CLIENT_VERSION).orElse(""))
                .text(SERVER_AGENT, TokenType.SMALL_STRING, "Orrery")
                .text(SERVER_VERSION, TokenType.SMALL_STRING, "2.14.0")
                .number(IDLE_SECONDS, TokenType.ULONG, Limits.DIRECT_IDLE_SECONDS_MAX)
                .number(UNAUTHENTICATED_SECONDS, TokenType.ULONG, Limits.DIRECT_UNPROVED_SECONDS_MAX)
                .end();
        refusal.ifPresent(message -> {
            var body = ("{\"code\":\"BadRequest\",\"message\":\"" + message + "\"}").getBytes(StandardCharsets.UTF_8);
            out.writeIntLE(body.length).writeBytes(body);
        });
        return out;
    }
}
