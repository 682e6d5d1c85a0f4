package dev.orrery.bench.harness;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One connection under load; reads of a reply no more than its status and its length. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
public final class LoadConnection extends ByteToMessageDecoder {
    private static final String CONTENT_LENGTH = "content-length:";
    private static final int STATUS_POSITION = "HTTP/1.1 ".length();

    private final Load load;
    private final RequestStream requests;
    private final int wantedStatus;
    private ChannelHandlerContext context;
    private boolean closing;
    private long answered;

    // Of the reply that is being read: where its head ends and its body should, counted from its first byte.
    private int headLength;
    private int bodyLength;

    public LoadConnection(Load load, RequestStream requests, int wantedStatus) {
        this.load = load;
        this.requests = requests;
        this.wantedStatus = wantedStatus;
    }

    public void start() {
        context.executor().execute(this::send);
    }

    public void close() {
        context.executor().execute(() -> {
            closing = true;
            context.close();
        });
    }

    /** Only to be asked while the connection is idle. */
    public long answered() {
        return answered;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    protected void decode(ChannelHandlerContext unused, ByteBuf in, List<Object> out) {
        if (!readHead(in) || in.readableBytes() < headLength + bodyLength) {
            return;
        }
        check(in);
        in.skipBytes(headLength + bodyLength);
        answered++;
        if (load.isRunning()) {
            send();
        } else {
            load.connectionIsIdle();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        if (!closing) {
            load.fail(new BenchException("the server closed a connection"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        load.fail(cause);
    }

    private void send() {
        var bytes = requests.next();
        context.writeAndFlush(context.alloc().buffer(bytes.length).writeBytes(bytes), context.voidPromise());
    }

    /** Sets the lengths; false when the head is not all there. */
    private boolean readHead(ByteBuf in) {
        int start = in.readerIndex();
        bodyLength = -1;
        for (int line = start; ; ) {
            int end = in.indexOf(line, in.writerIndex(), (byte) '\n');
            if (end < 0) {
                return false;
            }
            if (end - line <= 1) {
                headLength = end + 1 - start;
                break;
            }
            if (isContentLength(in, line, end)) {
                bodyLength = number(in, line + CONTENT_LENGTH.length(), end);
            }
            line = end + 1;
        }
        if (bodyLength < 0) {
            throw new BenchException("a reply does not tell its length: " + text(in));
        }
        return true;
    }

    private static boolean isContentLength(ByteBuf in, int from, int to) {
        if (to - from <= CONTENT_LENGTH.length()) {
            return false;
        }
        for (int at = 0; at < CONTENT_LENGTH.length(); at++) {
            // Sets the bit that tells lower case from upper case; the two other characters have it already.
            if ((in.getByte(from + at) | 0x20) != CONTENT_LENGTH.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    private static int number(ByteBuf in, int from, int to) {
        int number = 0;
        for (int at = from; at < to; at++) {
            int digit = in.getByte(at) - '0';
            if (digit >= 0 && digit <= 9) {
                number = number * 10 + digit;
            }
        }
        return number;
    }

    private void check(ByteBuf in) {
        int from = in.readerIndex() + STATUS_POSITION;
        if (number(in, from, from + 3) != wantedStatus) {
            throw new BenchException("a reply is not the " + wantedStatus + " it should be: " + text(in));
        }
    }

    private static String text(ByteBuf in) {
        return in.toString(StandardCharsets.UTF_8);
    }
}
