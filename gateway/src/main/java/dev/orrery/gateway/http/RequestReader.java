package dev.orrery.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;

/** Netty's reader of requests, strict about what smuggling relies on, which tells the connection when bytes arrive. */
final class RequestReader extends HttpRequestDecoder {
    private static final int CHUNK_BYTES_MAX = 64 * 1024;

    private final HttpConnection connection;

    RequestReader(HttpConnection connection, HttpLimits limits) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.headBytesMax())
                .setMaxHeaderSize(limits.headBytesMax())
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true)
                .setAllowDuplicateContentLengths(false));
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        if (connection.wantsBytes(bytes instanceof ByteBuf buffer ? buffer.readableBytes() : 0)) {
            super.channelRead(context, bytes);
        } else {
            ReferenceCountUtil.release(bytes);
        }
    }

    /** True while it holds the beginning of a request that it could not hand on yet. */
    boolean holdsBytes() {
        return actualReadableBytes() > 0;
    }
}
