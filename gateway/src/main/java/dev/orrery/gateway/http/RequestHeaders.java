package dev.orrery.gateway.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The headers of one request: names are case-insensitive, and an empty value counts as absent. */
public interface RequestHeaders {

    static RequestHeaders of(Map<String, String> headers) {
        var copy = new DefaultHttpHeaders();
        headers.forEach(copy::add);
        return new HttpFields(copy);
    }

    /** First value of a header, whose name is a constant of the code, in lower case. */
    Optional<String> find(String name);

    /** Every header in the order of the wire, empty ones and repetitions included. */
    void forEach(BiConsumer<String, String> action);
}
