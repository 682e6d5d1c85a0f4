package dev.orrery.gateway.socket;

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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens on a port, and makes every connection ready for its first byte. */
public final class SocketServer {
    private static final int EVENT_LOOPS_MAX = 4;
    private static final int BACKLOG = 1024;
    private static final int FREE_PORT_ATTEMPTS = 10;
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(64 * 1024, 128 * 1024);

    private final EventLoopGroup loops;
    private final ServerBootstrap bootstrap;
    private final PooledByteBufAllocator allocator;
    private final ChannelGroup connections;
    private final AtomicInteger connectionCount = new AtomicInteger();
    private final List<Channel> listeners = new ArrayList<>();
    private volatile boolean closing;

    /** What happens to a new connection. */
    @FunctionalInterface
    public interface Setup {
        /**
         * Puts handlers into the pipeline, or closes the channel.
         *
         * @param count of connections that are open now, this one included
         */
        void accept(Channel channel, int count);
    }

    /**
     * Prepares; nothing is listened to yet.
     *
     * @param threadName what the names of its threads begin with
     */
    public SocketServer(Transport transport, String threadName, Setup setup) {
        var loopCount = Math.min(Runtime.getRuntime().availableProcessors(), EVENT_LOOPS_MAX);
        this.loops = new MultiThreadIoEventLoopGroup(
                loopCount, new DefaultThreadFactory(threadName), transport.ioHandlerFactory());
        this.connections = new DefaultChannelGroup(loops.next());
        this.allocator = allocator(loopCount);
        this.bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                // The connection decides: a client that stops sending may still want its reply.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ConnectionSetup(setup));
        transport.keepAlive().forEach(bootstrap::childOption);
    }

    /** Starts to listen; {@code localhost} means the loopback addresses of both IP versions, 0 any free port. */
    public void listen(String host, int wantedPort) throws IOException {
        var addresses = addresses(host);
        for (var attempt = 1; ; attempt++) {
            try {
                var port = wantedPort;
                for (var address : addresses) {
                    listeners.add(bind(address, port));
                    port = port();
                }
                return;
            } catch (IOException e) {
                // A port that is free on one address may be taken on the next.
                listeners.forEach(listener -> listener.close().syncUninterruptibly());
                listeners.clear();
                if (wantedPort != 0 || attempt == FREE_PORT_ATTEMPTS) {
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

    /** The port that is listened to, also when any free one was asked for. */
    public int port() {
        return ((InetSocketAddress) listeners.getFirst().localAddress()).getPort();
    }

    /** Connections that are open now. */
    public int connectionCount() {
        return connectionCount.get();
    }

    public PooledByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * Stops to listen, sends every connection an event that tells it to finish, waits for that, and closes what is left.
     * Must not be called on an event loop.
     */
    public synchronized void close(Object drain, Duration drainTimeout) {
        if (closing) {
            return;
        }
        closing = true;
        listeners.forEach(listener -> listener.close().syncUninterruptibly());
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(drain));
        connections.newCloseFuture().awaitUninterruptibly(drainTimeout.toMillis());
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
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

    @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
    private final class ConnectionSetup extends ChannelInitializer<Channel> {
        private final Setup setup;

        ConnectionSetup(Setup setup) {
            this.setup = setup;
        }

        @Override
        protected void initChannel(Channel channel) {
            var count = connectionCount.incrementAndGet();
            channel.closeFuture().addListener(_ -> connectionCount.decrementAndGet());
            connections.add(channel);
            if (closing) {
                channel.close();
            } else {
                setup.accept(channel, count);
            }
        }
    }
}
