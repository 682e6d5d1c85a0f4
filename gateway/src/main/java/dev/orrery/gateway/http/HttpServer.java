package dev.orrery.gateway.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves HTTP and HTTPS on one port. */
public final class HttpServer implements AutoCloseable {
    private static final int EVENT_LOOPS_MAX = 4;
    private static final int BACKLOG = 1024;
    private static final int FREE_PORT_ATTEMPTS = 10;
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(64 * 1024, 128 * 1024);
    /** Connections beyond the limit that are told so at the same time; any further one is closed without a word. */
    private static final int TURNED_AWAY_MAX = 256;

    private final HttpServerConfig config;
    private final ConnectionSettings settings;
    private final EventLoopGroup loops;
    private final ServerBootstrap bootstrap;
    private final PooledByteBufAllocator allocator;
    private final ChannelGroup connections;
    private final AtomicInteger connectionCount = new AtomicInteger();
    private final List<Channel> listeners = new ArrayList<>();
    private volatile boolean closing;

    private HttpServer(HttpServerConfig config, HttpHandler handler, Transport transport) {
        this.config = config;
        this.settings = new ConnectionSettings(
                handler,
                config.limits(),
                new BodyBudget(config.limits().bodiesBytesMax()),
                new ReplyDate(config.clock()));
        var loopCount = Math.min(Runtime.getRuntime().availableProcessors(), EVENT_LOOPS_MAX);
        this.loops = new MultiThreadIoEventLoopGroup(
                loopCount, new DefaultThreadFactory(config.threadName()), transport.ioHandlerFactory());
        this.connections = new DefaultChannelGroup(loops.next());
        this.allocator = allocator(loopCount);
        this.bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                // HttpConnection decides: a client that stops sending may still want its reply.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ConnectionSetup());
    }

    /** Starts to listen; throws when the address is not there or already taken. */
    public static HttpServer start(HttpServerConfig config, HttpHandler handler) {
        return start(config, handler, Transport.best());
    }

    static HttpServer start(HttpServerConfig config, HttpHandler handler, Transport transport) {
        var server = new HttpServer(config, handler, transport);
        try {
            server.listen();
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException(
                    "cannot listen on " + config.host() + " port " + config.port() + ": " + e.getMessage(), e);
        }
    }

    /** The port that the server listens on, also when any free one was asked for. */
    public int port() {
        return ((InetSocketAddress) listeners.getFirst().localAddress()).getPort();
    }

    /** Connections that are open now. */
    public int connectionCount() {
        return connectionCount.get();
    }

    PooledByteBufAllocator allocator() {
        return allocator;
    }

    /** Memory that connections hold now. */
    long bufferBytes() {
        return allocator.pinnedDirectMemory() + allocator.pinnedHeapMemory();
    }

    /** Memory that request bodies hold now. */
    long bodyBytes() {
        return settings.bodyBudget().bytesTaken();
    }

    /**
     * Stops to listen, lets requests that have begun finish within the drain timeout, and closes everything. Must not be
     * called by the handler.
     */
    @Override
    public synchronized void close() {
        if (closing) {
            return;
        }
        closing = true;
        listeners.forEach(listener -> listener.close().syncUninterruptibly());
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(HttpConnection.Drain.DRAIN));
        connections
                .newCloseFuture()
                .awaitUninterruptibly(config.limits().drainTimeout().toMillis());
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void listen() throws IOException {
        var addresses = addresses(config.host());
        for (var attempt = 1; ; attempt++) {
            try {
                var port = config.port();
                for (var address : addresses) {
                    listeners.add(bind(address, port));
                    port = port();
                }
                return;
            } catch (IOException e) {
                // A port that is free on one address may be taken on the next.
                listeners.forEach(listener -> listener.close().syncUninterruptibly());
                listeners.clear();
                if (config.port() != 0 || attempt == FREE_PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Channel bind(InetAddress address, int port) throws IOException {
        ChannelFuture bound = bootstrap.bind(address, port).awaitUninterruptibly();
        if (bound.isSuccess()) {
            return bound.channel();
        }
        throw bound.cause() instanceof IOException e ? e : new IOException(bound.cause());
    }

    // Some clients try ::1 first when they are told localhost, some know 127.0.0.1 only.
    private static List<InetAddress> addresses(String host) throws IOException {
        if (!host.equals("localhost")) {
            return List.of(InetAddress.getAllByName(host));
        }
        var ipv4 = InetAddress.ofLiteral("127.0.0.1");
        var ipv6 = InetAddress.ofLiteral("::1");
        return NetworkInterface.getByInetAddress(ipv6) == null ? List.of(ipv4) : List.of(ipv4, ipv6);
    }

    // Netty's defaults set 4 MB aside per arena and two arenas per core; requests here are a few KB.
    private static PooledByteBufAllocator allocator(int loopCount) {
        var pageBytes = 8 * 1024;
        var chunkOrder = 6; // chunks of 512 KB
        var smallCacheSize = 64;
        var normalCacheSize = 8;
        return new PooledByteBufAllocator(
                true, loopCount, loopCount, pageBytes, chunkOrder, smallCacheSize, normalCacheSize, false);
    }

    /** Makes a connection ready for its first byte. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
    private final class ConnectionSetup extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            var count = connectionCount.incrementAndGet();
            channel.closeFuture().addListener(closed -> connectionCount.decrementAndGet());
            connections.add(channel);
            var excess = count - config.limits().connectionsMax();
            if (closing || excess > TURNED_AWAY_MAX) {
                channel.close();
                return;
            }
            var connection = new HttpConnection(settings, excess > 0);
            if (excess <= 0) {
                config.tls()
                        .ifPresent(tls -> channel.pipeline()
                                .addLast(new ProtocolSniffer(
                                        tls.toCompletableFuture(),
                                        config.limits().handshakeTimeout(),
                                        connection)));
                channel.pipeline().addLast(connection.reader());
            }
            channel.pipeline().addLast(connection);
        }
    }
}
