package dev.orrery.bench.harness;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/** Keeps connections to a server busy: each sends its next request as soon as the last one is answered. */
public final class Load implements AutoCloseable {
    private static final int EVENT_LOOPS_MAX = 4;
    private static final Duration LAST_REPLY_PATIENCE = Duration.ofSeconds(30);

    /**
     * What was answered in a while.
     *
     * @param nanos from the first request to the last reply
     */
    public record Result(long requests, long nanos) {
        public double requestsPerSecond() {
            return requests * 1e9 / nanos;
        }
    }

    private final MultiThreadIoEventLoopGroup loops;
    private final List<LoadConnection> connections = new ArrayList<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean running;
    private volatile CompletableFuture<Void> finished = new CompletableFuture<>();

    private Load(int connectionCount) {
        int loopCount =
                Math.min(connectionCount, Math.min(Runtime.getRuntime().availableProcessors(), EVENT_LOOPS_MAX));
        IoHandlerFactory io = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        loops = new MultiThreadIoEventLoopGroup(loopCount, io);
    }

    /** Connects once for each stream; TLS is agreed upon when this returns. */
    public static Load open(Endpoint endpoint, RequestKind operation, List<RequestStream> streams) {
        var load = new Load(streams.size());
        try {
            for (RequestStream stream : streams) {
                load.connect(endpoint, new LoadConnection(load, stream, operation.status()));
            }
            return load;
        } catch (RuntimeException | InterruptedException | SSLException e) {
            load.close();
            throw new BenchException("The server on port " + endpoint.port() + " takes no connection: " + e, e);
        }
    }

    /** Sends for a while, then waits for the last replies. */
    public Result run(Duration duration) throws InterruptedException {
        long before = answered();
        finished = new CompletableFuture<>();
        busy.set(connections.size());
        running = true;
        long start = System.nanoTime();
        connections.forEach(LoadConnection::start);
        // All connections stay busy until they are told to stop, so that only a failure can finish this early.
        if (isFinishedWithin(duration)) {
            throw new IllegalStateException("connections were idle in the midst of a run");
        }
        running = false;
        if (!isFinishedWithin(LAST_REPLY_PATIENCE)) {
            throw new BenchException("A request was not answered within " + LAST_REPLY_PATIENCE.toSeconds() + " s.");
        }
        return new Result(answered() - before, System.nanoTime() - start);
    }

    public boolean isRunning() {
        return running;
    }

    public void connectionIsIdle() {
        if (busy.decrementAndGet() == 0) {
            finished.complete(null);
        }
    }

    public void fail(Throwable reason) {
        finished.completeExceptionally(reason);
    }

    @Override
    public void close() {
        connections.forEach(LoadConnection::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private boolean isFinishedWithin(Duration patience) throws InterruptedException {
        try {
            finished.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            throw new BenchException("The load stopped: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private long answered() {
        return connections.stream().mapToLong(LoadConnection::answered).sum();
    }

    private void connect(Endpoint endpoint, LoadConnection connection) throws InterruptedException, SSLException {
        SslContext tls = endpoint.secure() ? tls() : null;
        var channel = new Bootstrap()
                .group(loops)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(connection);
                    }
                })
                .connect(Endpoint.ADDRESS, endpoint.port())
                .sync()
                .channel();
        if (tls != null) {
            channel.pipeline().get(SslHandler.class).handshakeFuture().sync();
        }
        connections.add(connection);
    }

    // Servers on this machine have certificates that they made themselves.
    private static SslContext tls() throws SSLException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
                .build();
    }
}
