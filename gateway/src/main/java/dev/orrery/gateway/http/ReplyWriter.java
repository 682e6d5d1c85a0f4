package dev.orrery.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes one reply after another. A small one goes out in one piece; of a large one no more is handed to the channel than
 * the client takes, so that slow readers cost little memory.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
final class ReplyWriter {
    private static final int PIECE_BYTES_MAX = 64 * 1024;
    private static final byte[][] STATUS_LINES = statusLines();
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final ByteBuffer CHUNK_END = ByteBuffer.wrap(ascii("\r\n"));
    private static final ByteBuffer LAST_CHUNK = ByteBuffer.wrap(ascii("0\r\n\r\n"));
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] NONE = {};
    private static final ByteBuffer NO_BYTES = ByteBuffer.wrap(NONE);
    private static final int SEPARATOR = ':' << 8 | ' ';
    private static final int LINE_END = '\r' << 8 | '\n';

    /** What a reply says about the connection; keeping it open is the silent default of HTTP/1.1 only. */
    enum Connection {
        UNMENTIONED,
        KEEP_ALIVE,
        CLOSE
    }

    private final ReplyDate date;
    private ChannelPromise whenWritten;
    private List<ByteBuffer> parts = List.of();
    private int nextPart;
    private ByteBuffer part = NO_BYTES;
    private long bytesLeft;
    private boolean chunked;

    ReplyWriter(ReplyDate date) {
        this.date = date;
    }

    /** Writes the head, with the body or the first piece of it. Nothing is flushed. */
    void begin(
            ChannelHandlerContext context,
            HttpReply reply,
            boolean headOnly,
            Connection connection,
            ChannelPromise promise) {
        whenWritten = promise;
        var bodyLength = length(reply.body());
        var hasBody = reply.status() != 204 && reply.status() != 304;
        bytesLeft = hasBody && !headOnly ? bodyLength : 0;
        parts = reply.body();
        nextPart = 0;

        write(context, head(context, reply, connection, hasBody ? contentLength(bodyLength) : NONE));
    }

    /**
     * Writes the head of a reply whose body comes in pieces. Nothing is flushed.
     *
     * @param inChunks whether the client can tell the end of the body from that of the connection
     */
    void beginStream(ChannelHandlerContext context, HttpReply reply, boolean inChunks) {
        whenWritten = context.voidPromise();
        chunked = inChunks;
        write(context, head(context, reply, Connection.CLOSE, inChunks ? CHUNKED : NONE));
    }

    /** Makes ready the next piece of a body, which must not be empty, to be written by {@link #next}. */
    void take(ByteBuffer piece) {
        int length = piece.remaining();
        parts = chunked
                ? List.of(ByteBuffer.wrap(ascii(Integer.toHexString(length) + "\r\n")), piece, CHUNK_END)
                : List.of(piece);
        nextPart = 0;
        bytesLeft = length(parts);
    }

    /** Writes the end of a body that came in pieces. Nothing is flushed. */
    void endStream(ChannelHandlerContext context, ChannelPromise promise) {
        whenWritten = promise;
        parts = chunked ? List.of(LAST_CHUNK) : List.of();
        nextPart = 0;
        bytesLeft = length(parts);
        next(context);
    }

    /** The head, with the body or the first piece of it as far as it is known. */
    private ByteBuf head(ChannelHandlerContext context, HttpReply reply, Connection connection, byte[] framing) {
        var statusLine = STATUS_LINES[reply.status()];
        var dateLine = date.line();
        var connectionLine = switch (connection) {
            case UNMENTIONED -> NONE;
            case KEEP_ALIVE -> KEEP_ALIVE;
            case CLOSE -> CLOSE;
        };
        var headLength = statusLine.length
                + dateLine.length
                + connectionLine.length
                + headersLength(reply.rawHeaders())
                + framing.length
                + 2;
        var out = context.alloc().directBuffer(headLength + pieceLength());
        out.writeBytes(statusLine).writeBytes(dateLine).writeBytes(connectionLine);
        writeHeaders(reply.rawHeaders(), out);
        out.writeBytes(framing).writeShort(LINE_END);
        fill(out, pieceLength());
        return out;
    }

    boolean done() {
        return bytesLeft == 0;
    }

    /** Writes the next piece of the body. */
    void next(ChannelHandlerContext context) {
        var length = pieceLength();
        var out = context.alloc().directBuffer(length);
        fill(out, length);
        write(context, out);
    }

    private void write(ChannelHandlerContext context, ByteBuf out) {
        context.write(out, done() ? whenWritten : context.voidPromise());
    }

    private int pieceLength() {
        return (int) Math.min(bytesLeft, PIECE_BYTES_MAX);
    }

    private void fill(ByteBuf out, int length) {
        bytesLeft -= length;
        var missing = length;
        while (missing > 0) {
            if (!part.hasRemaining()) {
                part = parts.get(nextPart++).duplicate();
                continue;
            }
            var count = Math.min(missing, part.remaining());
            var end = part.limit();
            part.limit(part.position() + count);
            out.writeBytes(part);
            part.limit(end);
            missing -= count;
        }
        if (bytesLeft == 0) {
            parts = List.of();
            part = NO_BYTES;
        }
    }

    private static byte[] contentLength(long length) {
        return ascii("Content-Length: " + length + "\r\n");
    }

    private static long length(List<ByteBuffer> parts) {
        var length = 0L;
        for (var i = 0; i < parts.size(); i++) {
            length += parts.get(i).remaining();
        }
        return length;
    }

    private static int headersLength(List<Object> headers) {
        var length = 0;
        for (var i = 0; i < headers.size(); i++) {
            length += switch (headers.get(i)) {
                case HeaderBlock block -> block.bytes().length;
                case String text -> text.length() + 2; // ": " after a name, a line end after a value
                default -> throw new IllegalStateException("a reply holds headers of an unknown kind");
            };
        }
        return length;
    }

    private static void writeHeaders(List<Object> headers, ByteBuf out) {
        var isValue = false;
        for (var i = 0; i < headers.size(); i++) {
            if (headers.get(i) instanceof HeaderBlock block) {
                out.writeBytes(block.bytes());
            } else {
                ByteBufUtil.writeAscii(out, (String) headers.get(i));
                out.writeShort(isValue ? LINE_END : SEPARATOR);
                isValue = !isValue;
            }
        }
    }

    private static byte[][] statusLines() {
        var lines = new byte[600][];
        for (var status = 200; status < lines.length; status++) {
            var reason = HttpResponseStatus.valueOf(status).reasonPhrase();
            lines[status] = ascii("HTTP/1.1 " + status + " " + reason + "\r\n");
        }
        return lines;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
