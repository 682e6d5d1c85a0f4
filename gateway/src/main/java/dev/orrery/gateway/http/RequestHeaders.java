package dev.orrery.gateway.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** The headers of one request: names are case-insensitive, and an empty value counts as absent. */
public final class RequestHeaders {
    // Names that the code asks for, with the hash that Netty looks for and would compute anew for each string.
    private static final ConcurrentHashMap<String, AsciiString> NAMES = new ConcurrentHashMap<>();

    private final HttpHeaders headers;

    RequestHeaders(HttpHeaders headers) {
        this.headers = headers;
    }

    public static RequestHeaders of(Map<String, String> headers) {
        var copy = new DefaultHttpHeaders();
        headers.forEach(copy::add);
        return new RequestHeaders(copy);
    }

    /** First value of a header, whose name is a constant of the code. */
    public Optional<String> find(String name) {
        var value = headers.get(NAMES.computeIfAbsent(name, AsciiString::cached));
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    /** Every header in the order of the wire, empty ones and repetitions included. */
    public void forEach(BiConsumer<String, String> action) {
        headers.forEach(header -> action.accept(header.getKey(), header.getValue()));
    }
}
