package dev.orrery.gateway.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Headers as they came over HTTP. */
record HttpFields(HttpHeaders headers) implements RequestHeaders {
    // Names that the code asks for, with the hash that Netty looks for and would compute anew for each string.
    private static final ConcurrentHashMap<String, AsciiString> NAMES = new ConcurrentHashMap<>();

    @Override
    public Optional<String> find(String name) {
        var value = headers.get(NAMES.computeIfAbsent(name, AsciiString::cached));
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        headers.forEach(header -> action.accept(header.getKey(), header.getValue()));
    }
}
