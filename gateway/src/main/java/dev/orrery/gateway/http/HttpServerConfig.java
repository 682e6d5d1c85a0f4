package dev.orrery.gateway.http;

import dev.orrery.model.memory.MemoryBudget;
import io.netty.handler.ssl.SslContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How a server listens.
 *
 * @param host name or address; {@code localhost} means the loopback addresses of both IP versions
 * @param port 0 for any free one
 * @param tls absent for a server that speaks plain HTTP only; asked for at every connection, since a certificate may be
 *     renewed, and a stage, so that the server may start while it is made
 * @param clock dates the replies
 * @param nanos tells how long a client has taken, in nanoseconds since any moment
 * @param threadName what the names of its threads begin with
 * @param memory what bodies take their memory from, together with all else
 */
public record HttpServerConfig(
        String host,
        int port,
        Optional<Supplier<CompletionStage<SslContext>>> tls,
        InstantSource clock,
        LongSupplier nanos,
        String threadName,
        HttpLimits limits,
        MemoryBudget memory) {

    /** Loopback, any free port, plain HTTP only. */
    public static HttpServerConfig loopback(InstantSource clock, LongSupplier nanos) {
        return new HttpServerConfig(
                "localhost",
                0,
                Optional.empty(),
                clock,
                nanos,
                "http",
                HttpLimits.defaults(),
                MemoryBudget.unlimited());
    }

    public HttpServerConfig withAddress(String newHost, int newPort) {
        return new HttpServerConfig(newHost, newPort, tls, clock, nanos, threadName, limits, memory);
    }

    public HttpServerConfig withTls(Supplier<CompletionStage<SslContext>> context) {
        return new HttpServerConfig(host, port, Optional.of(context), clock, nanos, threadName, limits, memory);
    }

    public HttpServerConfig withThreadName(String name) {
        return new HttpServerConfig(host, port, tls, clock, nanos, name, limits, memory);
    }

    public HttpServerConfig withLimits(HttpLimits newLimits) {
        return new HttpServerConfig(host, port, tls, clock, nanos, threadName, newLimits, memory);
    }

    public HttpServerConfig withMemory(MemoryBudget budget) {
        return new HttpServerConfig(host, port, tls, clock, nanos, threadName, limits, budget);
    }
}
