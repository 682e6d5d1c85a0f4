package dev.orrery.gateway.http;

import dev.orrery.gateway.socket.SocketServer;
import dev.orrery.gateway.socket.Transport;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Serves HTTP and HTTPS on one port. */
public final class HttpServer implements AutoCloseable {
    /** Connections beyond the limit that are told so at the same time; any further one is closed without a word. */
    private static final int TURNED_AWAY_MAX = 256;

    private final HttpServerConfig config;
    private final ConnectionSettings settings;
    private final SocketServer sockets;

    private HttpServer(HttpServerConfig config, HttpHandler handler, Transport transport) {
        this.config = config;
        this.settings = new ConnectionSettings(
                handler,
                config.limits(),
                new BodyBudget(config.limits().bodiesBytesMax(), config.memory()),
                new ReplyDate(config.clock()),
                config.nanos());
        this.sockets = new SocketServer(transport, config.threadName(), this::accept);
    }

    /** Starts to listen; throws when the address is not there or already taken. */
    public static HttpServer start(HttpServerConfig config, HttpHandler handler) {
        return start(config, handler, Transport.best());
    }

    static HttpServer start(HttpServerConfig config, HttpHandler handler, Transport transport) {
        var server = new HttpServer(config, handler, transport);
        try {
            server.sockets.listen(config.host(), config.port());
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException(
                    "cannot listen on " + config.host() + " port " + config.port() + ": " + e.getMessage(), e);
        }
    }

    /** The port that the server listens on, also when any free one was asked for. */
    public int port() {
        return sockets.port();
    }

    /** Connections that are open now. */
    public int connectionCount() {
        return sockets.connectionCount();
    }

    PooledByteBufAllocator allocator() {
        return sockets.allocator();
    }

    /** Memory that connections hold now. */
    long bufferBytes() {
        return allocator().pinnedDirectMemory() + allocator().pinnedHeapMemory();
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
    public void close() {
        sockets.close(HttpConnection.Drain.DRAIN, config.limits().drainTimeout());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
    private void accept(Channel channel, int count) {
        var excess = count - config.limits().connectionsMax();
        if (excess > TURNED_AWAY_MAX) {
            channel.close();
            return;
        }
        var connection = new HttpConnection(settings, excess > 0);
        if (excess <= 0) {
            config.tls()
                    .ifPresent(tls -> channel.pipeline()
                            .addLast(new ProtocolSniffer(
                                    tls.get().toCompletableFuture(),
                                    config.limits().handshakeTimeout(),
                                    connection)));
            channel.pipeline().addLast(connection.reader());
        }
        channel.pipeline().addLast(connection);
    }
}
