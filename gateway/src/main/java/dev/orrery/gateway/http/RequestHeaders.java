package dev.orrery.gateway.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The headers of one request: names are case-insensitive, and an empty value counts as absent. */
public final class RequestHeaders {
    private final HttpHeaders headers;

    RequestHeaders(HttpHeaders headers) {
        this.headers = headers;
    }

    public static RequestHeaders of(Map<String, String> headers) {
        var copy = new DefaultHttpHeaders();
        headers.forEach(copy::add);
        return new RequestHeaders(copy);
    }

    /** First value of a header. */
    public Optional<String> find(String name) {
        var value = headers.get(name);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    /** Every header in the order of the wire, empty ones and repetitions included. */
    public void forEach(BiConsumer<String, String> action) {
        headers.forEach(header -> action.accept(header.getKey(), header.getValue()));
    }
}
