package dev.orrery.gateway.http;

import dev.orrery.model.Limits;
import java.time.Duration;

/**
 * What a server puts up with from its clients.
 *
 * @param connectionsMax one more is answered with 503 and closed
 * @param headBytesMax request line and headers together; more is answered with 431
 * @param bodyBytesMax a longer body is answered with 413
 * @param bodiesBytesMax all large bodies that are being received or answered together; more is answered with 429
 * @param requestTimeout from the first byte of a request to its last
 * @param idleTimeout how long a connection may stay open without a request
 * @param replyTimeout how long a client may take to read a reply
 * @param handshakeTimeout how long the TLS handshake may take
 * @param drainTimeout how long a closing server waits for running requests
 */
public record HttpLimits(
        int connectionsMax,
        int headBytesMax,
        int bodyBytesMax,
        long bodiesBytesMax,
        Duration requestTimeout,
        Duration idleTimeout,
        Duration replyTimeout,
        Duration handshakeTimeout,
        Duration drainTimeout) {

    /** What a connection may take of the heap: its reader, and the state of TLS. */
    private static final long HEAP_PER_CONNECTION = 256L * 1024;

    /** The limits of {@link Limits}, a quarter of the heap for bodies, and as many connections as a small heap can have. */
    public static HttpLimits defaults() {
        return new HttpLimits(
                (int) Math.min(Limits.CONNECTIONS_MAX, Runtime.getRuntime().maxMemory() / HEAP_PER_CONNECTION),
                Limits.HTTP_HEAD_BYTES_MAX,
                Limits.HTTP_BODY_BYTES_MAX,
                Math.max(Runtime.getRuntime().maxMemory() / 4, 2L * Limits.HTTP_BODY_BYTES_MAX),
                Duration.ofSeconds(Limits.HTTP_REQUEST_SECONDS_MAX),
                Duration.ofSeconds(Limits.HTTP_IDLE_SECONDS_MAX),
                Duration.ofSeconds(Limits.HTTP_REPLY_SECONDS_MAX),
                Duration.ofSeconds(Limits.TLS_HANDSHAKE_SECONDS_MAX),
                Duration.ofSeconds(Limits.DRAIN_SECONDS_MAX));
    }

    public HttpLimits withConnectionsMax(int value) {
        return new HttpLimits(
                value,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                requestTimeout,
                idleTimeout,
                replyTimeout,
                handshakeTimeout,
                drainTimeout);
    }

    public HttpLimits withBodiesBytesMax(long value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                value,
                requestTimeout,
                idleTimeout,
                replyTimeout,
                handshakeTimeout,
                drainTimeout);
    }

    public HttpLimits withRequestTimeout(Duration value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                value,
                idleTimeout,
                replyTimeout,
                handshakeTimeout,
                drainTimeout);
    }

    public HttpLimits withIdleTimeout(Duration value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                requestTimeout,
                value,
                replyTimeout,
                handshakeTimeout,
                drainTimeout);
    }

    public HttpLimits withReplyTimeout(Duration value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                requestTimeout,
                idleTimeout,
                value,
                handshakeTimeout,
                drainTimeout);
    }

    public HttpLimits withHandshakeTimeout(Duration value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                requestTimeout,
                idleTimeout,
                replyTimeout,
                value,
                drainTimeout);
    }

    public HttpLimits withDrainTimeout(Duration value) {
        return new HttpLimits(
                connectionsMax,
                headBytesMax,
                bodyBytesMax,
                bodiesBytesMax,
                requestTimeout,
                idleTimeout,
                replyTimeout,
                handshakeTimeout,
                value);
    }

    /** The shortest time in which a connection can be late with anything. */
    Duration shortestTimeout() {
        var shortest = requestTimeout.compareTo(idleTimeout) < 0 ? requestTimeout : idleTimeout;
        return shortest.compareTo(replyTimeout) < 0 ? shortest : replyTimeout;
    }
}
