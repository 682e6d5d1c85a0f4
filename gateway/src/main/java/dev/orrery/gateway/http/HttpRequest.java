package dev.orrery.gateway.http;

import java.net.InetSocketAddress;
import java.util.Optional;

/** One whole request, body included; it owns its bytes, so it may be kept and passed between threads. */
public final class HttpRequest {
    private final String method;
    private final String rawPath;
    private final String rawQuery;
    private final RequestHeaders headers;
    private final byte[] body;
    private final boolean secure;
    private final InetSocketAddress remote;

    public HttpRequest(
            String method,
            String rawPath,
            String rawQuery,
            RequestHeaders headers,
            byte[] body,
            boolean secure,
            InetSocketAddress remote) {
        this.method = method;
        this.rawPath = rawPath;
        this.rawQuery = rawQuery;
        this.headers = headers;
        this.body = body;
        this.secure = secure;
        this.remote = remote;
    }

    /** The method as sent; not one of a fixed set. */
    public String method() {
        return method;
    }

    /** The path as sent: percent-encoded, without scheme, host and query. */
    public String rawPath() {
        return rawPath;
    }

    /** What follows the question mark, percent-encoded; empty when there is none. */
    public String rawQuery() {
        return rawQuery;
    }

    public RequestHeaders headers() {
        return headers;
    }

    /** First value of a header. SDKs send headers with an empty value and mean that they are absent. */
    public Optional<String> header(String name) {
        return headers.find(name);
    }

    /** The body, not copied: the array belongs to whoever handles the request. Empty when there is none. */
    public byte[] body() {
        return body;
    }

    /** True when the request came over TLS. */
    public boolean secure() {
        return secure;
    }

    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public String toString() {
        return method + " " + rawPath + (rawQuery.isEmpty() ? "" : "?" + rawQuery) + " (" + body.length + " bytes)";
    }
}
