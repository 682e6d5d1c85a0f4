package dev.orrery.gateway.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Tells a client of HTTP that it has come to the wrong port, in its own language: it would otherwise only see the
 * connection break. Stands before TLS for plain http, and behind it for https.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
final class StrayHttp extends ChannelInboundHandlerAdapter {
    /** As the length of a frame, each of these is far beyond the limit; and none of them begins a handshake. */
    private static final Set<String> METHODS = Set.of("GET ", "POST", "PUT ", "HEAD", "DELE", "PATC", "OPTI", "CONN");

    private static final int BYTES = 4;

    private static final String WORDS = "This port is for SDKs in Direct mode, which speak no HTTP. The address of the"
            + " account has the port for http and https: 8081, or the one of --port. In Java choose gatewayMode(), in"
            + " .NET ConnectionMode.Gateway, to use that port only.";

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var bytes = (ByteBuf) message;
        if (!isHttp(bytes)) {
            context.pipeline().remove(this);
            context.fireChannelRead(message);
            return;
        }
        ReferenceCountUtil.release(message);
        var body = "{\"code\":\"BadRequest\",\"message\":\"" + WORDS + "\"}";
        var reply =
                ("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII);
        context.writeAndFlush(Unpooled.wrappedBuffer(reply)).addListener(ChannelFutureListener.CLOSE);
    }

    private static boolean isHttp(ByteBuf bytes) {
        return bytes.readableBytes() >= BYTES
                && METHODS.contains(bytes.toString(bytes.readerIndex(), BYTES, StandardCharsets.US_ASCII));
    }
}
