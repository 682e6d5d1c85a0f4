package dev.orrery.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the first byte of a connection and puts TLS in front of the HTTP reader if the client speaks it. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
final class ProtocolSniffer extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ProtocolSniffer.class);
    /** First byte of every TLS connection; no HTTP method begins with it. */
    private static final int HANDSHAKE_RECORD = 0x16;

    private final CompletableFuture<SslContext> tls;
    private final Duration handshakeTimeout;
    private final HttpConnection connection;
    private ByteBuf held;

    ProtocolSniffer(CompletableFuture<SslContext> tls, Duration handshakeTimeout, HttpConnection connection) {
        this.tls = tls;
        this.handshakeTimeout = handshakeTimeout;
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var bytes = (ByteBuf) message;
        if (held != null) {
            held = context.alloc().compositeBuffer().addComponents(true, held, bytes);
        } else if (!bytes.isReadable()) {
            bytes.release();
        } else if (bytes.getUnsignedByte(bytes.readerIndex()) != HANDSHAKE_RECORD) {
            handOn(context, bytes);
        } else {
            held = bytes;
            context.channel().config().setAutoRead(false);
            tls.whenCompleteAsync((ready, failure) -> startTls(context, ready, failure), context.executor());
        }
    }

    private void startTls(ChannelHandlerContext context, SslContext ready, Throwable failure) {
        if (held == null) {
            return; // closed meanwhile
        }
        if (failure != null) {
            log.debug("TLS is not available", failure);
            context.close();
            return;
        }
        var handler = ready.newHandler(context.alloc());
        handler.setHandshakeTimeoutMillis(handshakeTimeout.toMillis());
        context.pipeline().addAfter(context.name(), "tls", handler);
        connection.becomeSecure();
        var bytes = held;
        held = null;
        handOn(context, bytes);
        context.channel().config().setAutoRead(true);
    }

    private void handOn(ChannelHandlerContext context, ByteBuf bytes) {
        context.pipeline().remove(this);
        context.fireChannelRead(bytes);
        context.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
