package dev.orrery.gateway.direct;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.model.WireStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * Makes the frame of a reply: {@code length:4 | status:4 | activity id:16 | tokens}, and behind it {@code length:4 |
 * payload} if there is one. Every reply carries the same set of tokens, refusals too: a client drops a refusal that does
 * not say how far the range has come, and asks again.
 */
final class DirectReply {
    private static final int HEAD_BYTES_EXPECTED = 512;
    /** One copy holds everything, so its word alone is that of a quorum. */
    private static final int REPLICAS = 1;

    private static final int ROLE_PRIMARY = 1;
    private static final int ROLE_SECONDARY = 2;

    private DirectReply() {}

    /**
     * How far a range has come, or the account.
     *
     * @param sessionToken without the id of the range, empty for the account
     */
    record Progress(long lsn, String rangeId, String sessionToken) {}

    static ByteBuf frame(
            ByteBufAllocator allocator, RequestFrame request, HttpReply reply, Progress progress, int otherRegions) {
        int substatus = reply.header("x-ms-substatus").map(Integer::parseInt).orElse(0);
        var wire = new WireStatus(reply.status(), substatus, "").inDirectMode();
        int payloadBytes = payloadBytes(reply);
        var out = allocator.buffer(HEAD_BYTES_EXPECTED);
        var head = new TokenWriter(out, wire.status(), request.activityId());
        head.number(ReplyToken.PAYLOAD_PRESENT, TokenType.BYTE, payloadBytes > 0 ? 1 : 0)
                .number(ReplyToken.TRANSPORT_REQUEST_ID, TokenType.ULONG, request.transportId());
        reply.forEachHeader((name, value) -> ReplyToken.find(name)
                .filter(token -> !isProgress(token))
                .ifPresent(token -> write(head, token, value)));
        if (wire.substatus() != 0) {
            head.number(ReplyToken.SUBSTATUS.id(), TokenType.ULONG, wire.substatus());
        }
        progress(head, progress);
        reply.header("x-ms-item-lsn")
                .map(Long::parseLong)
                .ifPresent(lsn -> head.number(ReplyToken.ITEM_LSN, TokenType.LONG_LONG, lsn)
                        .number(ReplyToken.ITEM_LOCAL_LSN, TokenType.LONG_LONG, lsn));
        head.number(ReplyToken.WRITE_QUORUM, TokenType.ULONG, REPLICAS)
                .number(ReplyToken.REPLICA_SET_SIZE, TokenType.ULONG, REPLICAS)
                .number(ReplyToken.READ_REGIONS, TokenType.ULONG, otherRegions)
                .number(ReplyToken.ROLE, TokenType.ULONG, request.replica().isPrimary() ? ROLE_PRIMARY : ROLE_SECONDARY)
                .end();
        return payloadBytes == 0 ? out : withPayload(out, reply, payloadBytes);
    }

    /** Written below, together with what else is known of the range. */
    private static boolean isProgress(ReplyToken token) {
        return token == ReplyToken.RANGE_ID || token == ReplyToken.SESSION_TOKEN || token == ReplyToken.SUBSTATUS;
    }

    private static void progress(TokenWriter head, Progress progress) {
        head.number(ReplyToken.LSN, TokenType.LONG_LONG, progress.lsn())
                .number(ReplyToken.LOCAL_LSN, TokenType.LONG_LONG, progress.lsn())
                .number(ReplyToken.QUORUM_ACKED_LSN, TokenType.LONG_LONG, progress.lsn())
                .number(ReplyToken.QUORUM_ACKED_LOCAL_LSN, TokenType.LONG_LONG, progress.lsn())
                .number(ReplyToken.GLOBAL_COMMITTED_LSN, TokenType.LONG_LONG, progress.lsn());
        if (!progress.sessionToken().isEmpty()) {
            head.text(ReplyToken.RANGE_ID.id(), ReplyToken.RANGE_ID.type(), progress.rangeId())
                    .text(ReplyToken.SESSION_TOKEN.id(), ReplyToken.SESSION_TOKEN.type(), progress.sessionToken());
        }
    }

    private static void write(TokenWriter head, ReplyToken token, String value) {
        switch (token.type()) {
            case ULONG -> head.number(token.id(), token.type(), Long.parseLong(value));
            case DOUBLE -> head.real(token.id(), Double.parseDouble(value));
            default ->
                head.text(
                        token.id(), token.type(), token == ReplyToken.OWNER_NAME ? PercentCoding.decode(value) : value);
        }
    }

    private static int payloadBytes(HttpReply reply) {
        if (reply.status() == 204 || reply.status() == 304) {
            return 0;
        }
        return reply.body().stream().mapToInt(ByteBuffer::remaining).sum();
    }

    private static ByteBuf withPayload(ByteBuf head, HttpReply reply, int bytes) {
        head.writeIntLE(bytes);
        var parts = new ByteBuf[reply.body().size() + 1];
        parts[0] = head;
        for (int i = 1; i < parts.length; i++) {
            parts[i] = Unpooled.wrappedBuffer(reply.body().get(i - 1));
        }
        return Unpooled.wrappedBuffer(parts);
    }
}
