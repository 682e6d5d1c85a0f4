package dev.orrery.gateway.http;

import java.time.Duration;

/**
 * What a server puts up with from its clients.
 *
 * @param connectionsMax one more is answered with 503 and closed
 * @param headBytesMax request line and headers together
 * @param bodyBytesMax a longer body is answered with 413
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
        Duration requestTimeout,
        Duration idleTimeout,
        Duration replyTimeout,
        Duration handshakeTimeout,
        Duration drainTimeout) {

    public static final HttpLimits DEFAULT = new HttpLimits(
            10_000,
            64 * 1024,
            4 * 1024 * 1024,
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofMinutes(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));

    public HttpLimits withConnectionsMax(int value) {
        return new HttpLimits(
                value,
                headBytesMax,
                bodyBytesMax,
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
                requestTimeout,
                idleTimeout,
                replyTimeout,
                handshakeTimeout,
                value);
    }
}
