package dev.orrery.bench.http;

import dev.orrery.bench.harness.Endpoint;
import dev.orrery.gateway.tls.ServerCertificate;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * The least that a server on Netty can do: answers every request with the same reply, a recorded one of Orrery. What Orrery
 * does beyond this is to check the signature, find the item and say something true.
 */
public final class BareNetty {
    private static final int EVENT_LOOPS_MAX = 4; // as many as Orrery has

    private final HttpHeaders headers = new DefaultHttpHeaders();
    private final ByteBuf body;

    private BareNetty(String recorded) {
        int headEnd = recorded.indexOf("\r\n\r\n");
        recorded.substring(0, headEnd).lines().skip(1).forEach(line -> {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
        });
        var text = recorded.substring(headEnd + 4).getBytes(StandardCharsets.ISO_8859_1);
        body = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(text.length).writeBytes(text).asReadOnly());
    }

    /** Takes the file with the recorded reply; says {@code ready <port for http> <port for https>}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var server = new BareNetty(Files.readString(Path.of(arguments[0]), StandardCharsets.ISO_8859_1));
        IoHandlerFactory io = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        var loopCount = Math.min(Runtime.getRuntime().availableProcessors(), EVENT_LOOPS_MAX);
        var loops = new MultiThreadIoEventLoopGroup(loopCount, io);
        var tls = ServerCertificate.create(List.of(), Optional.empty(), Clock.systemUTC(), new SecureRandom())
                .sslContext();
        System.out.println("ready " + server.listen(loops, null) + " " + server.listen(loops, tls));
        loops.terminationFuture().sync();
    }

    private int listen(MultiThreadIoEventLoopGroup loops, SslContext tls) throws InterruptedException {
        var listener = new ServerBootstrap()
                .group(loops)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(new HttpServerCodec(), new Answer());
                    }
                })
                .bind(Endpoint.ADDRESS, 0)
                .sync()
                .channel();
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Answers when the request is complete. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed connection is closed and the load generator notices
    private final class Answer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof LastHttpContent) {
                context.write(
                        new DefaultFullHttpResponse(
                                HttpVersion.HTTP_1_1,
                                HttpResponseStatus.OK,
                                body.duplicate(),
                                headers,
                                EmptyHttpHeaders.INSTANCE),
                        context.voidPromise());
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
