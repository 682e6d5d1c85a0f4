package dev.orrery.gateway.direct;

import dev.orrery.engine.Database;
import dev.orrery.gateway.http.HttpLimits;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.socket.SocketServer;
import dev.orrery.gateway.socket.Transport;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Serves Direct mode: frames over TLS, on a port of its own. */
public final class DirectServer implements AutoCloseable {
    private static final int FLUSHES_AT_MOST_TOGETHER = 64;
    private static final int FREE_PORT_ATTEMPTS = 100;

    /** Sent through the pipeline of every connection when the server closes. */
    enum Drain {
        DRAIN
    }

    private final Setup setup;
    private final Connections shared;
    private final SocketServer sockets;

    /**
     * How the server is made.
     *
     * @param tls asked for at every connection, since a certificate may be renewed
     * @param otherRegions in how many further regions the account is read
     * @param memory what bodies take their memory from, together with all else
     */
    public record Setup(
            DirectService service,
            Database database,
            Supplier<SslContext> tls,
            HttpLimits limits,
            IntSupplier otherRegions,
            MemoryBudget memory) {}

    /** What all connections share. */
    record Connections(DirectService service, ProgressOf progress, IntSupplier otherRegions, MemoryBudget memory) {}

    /** Tells how far what a client has chosen has come, besides what a reply says of it. */
    @FunctionalInterface
    interface ProgressOf {
        DirectReply.Progress of(ReplicaPath replica, HttpReply reply);
    }

    private DirectServer(Setup setup) {
        this.setup = setup;
        this.shared = new Connections(
                setup.service(), new RangeProgress(setup.database())::of, setup.otherRegions(), setup.memory());
        this.sockets = new SocketServer(Transport.best(), "direct", this::accept);
    }

    /** Starts to listen on exactly this port, or on any free one for 0. */
    public static DirectServer start(Setup setup, String host, int port) {
        var server = new DirectServer(setup);
        try {
            server.sockets.listen(host, port);
            return server;
        } catch (IOException e) {
            server.close();
            throw new UncheckedIOException(
                    "cannot listen on " + host + " port " + port + " for Direct mode: " + e.getMessage(), e);
        }
    }

    /** Starts to listen on the first free port after one. */
    public static DirectServer startAfter(Setup setup, String host, int port) {
        var server = new DirectServer(setup);
        for (int attempt = 1; ; attempt++) {
            try {
                server.sockets.listen(host, port + attempt);
                return server;
            } catch (IOException taken) {
                if (attempt == FREE_PORT_ATTEMPTS) {
                    server.close();
                    throw new UncheckedIOException("found no free port after " + port + " for Direct mode", taken);
                }
            }
        }
    }

    public int port() {
        return sockets.port();
    }

    /** Connections that are open now. */
    public int connectionCount() {
        return sockets.connectionCount();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
    private void accept(Channel channel, int count) {
        var limits = setup.limits();
        if (count > limits.connectionsMax()) {
            channel.close();
            return;
        }
        var tls = setup.tls().get().newHandler(channel.alloc());
        tls.setHandshakeTimeoutMillis(limits.handshakeTimeout().toMillis());
        // A TLS record never holds parts of two frames: the Java SDK moves what follows a frame over the tokens that it
        // has
        // not read yet, and would answer one request with the facts of the next.
        tls.setWrapDataSize(0);
        var reader = new FrameReader(setup.memory());
        channel.pipeline()
                // Before TLS: whatever a client sends shows that it is there.
                .addLast(idleness())
                .addLast(new StrayHttp())
                .addLast(tls)
                .addLast(new StrayHttp())
                .addLast(new FlushConsolidationHandler(FLUSHES_AT_MOST_TOGETHER, true))
                .addLast(new WriteTimeoutHandler((int) limits.replyTimeout().toSeconds()))
                .addLast(reader)
                .addLast(new DirectConnection(shared, reader));
    }

    /** Tells a connection when nothing has come for as long as clients are told. */
    static IdleStateHandler idleness() {
        return new IdleStateHandler(Limits.DIRECT_IDLE_SECONDS_MAX, 0, 0);
    }

    /** Stops to listen, answers what has begun, refuses what comes meanwhile, and closes everything. */
    @Override
    public void close() {
        sockets.close(Drain.DRAIN, setup.limits().drainTimeout());
    }
}
