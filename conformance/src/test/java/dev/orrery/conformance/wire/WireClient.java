package dev.orrery.conformance.wire;

import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Sends signed requests, one connection each. */
public final class WireClient {
    private final int port;
    private final String key;

    public WireClient(OrreryServer server) {
        this(server.port(), OrreryServer.WELL_KNOWN_KEY);
    }

    public WireClient(int port, String key) {
        this.port = port;
        this.key = key;
    }

    /** Signs the request by names, unless it brings an authorization header of its own, and sends it. */
    public WireReply send(WireRequest request) {
        return exchange(signed(request));
    }

    /** Signs the request as one whose path holds resource ids, and sends it. */
    public WireReply sendByResourceId(WireRequest request) {
        var date = Signature.date(Instant.now());
        var signature = Signature.ofResourceIds(key, request.method(), request.path(), date);
        return exchange(request.header("x-ms-date", date).header("authorization", signature));
    }

    public WireReply get(String path) {
        return send(WireRequest.of("GET", path));
    }

    /** All pages of a feed; a page ends after a second as well, and so nobody knows how many there are. */
    public List<WireReply> pages(String path) {
        var pages = new ArrayList<WireReply>();
        var continuation = Optional.<String>empty();
        do {
            var request = WireRequest.of("GET", path);
            pages.add(send(continuation
                    .map(token -> request.header("x-ms-continuation", token))
                    .orElse(request)));
            continuation = pages.getLast().header("x-ms-continuation");
        } while (continuation.isPresent());
        return pages;
    }

    /** What is at a path, byte for byte: of a feed what its first page begins with and then all that its pages list. */
    public String whole(String path) {
        var pages = pages(path);
        var first = pages.getFirst().body();
        if (!first.contains("\"_count\":")) {
            return first;
        }
        var listed = pages.stream()
                .map(WireReply::body)
                .map(body -> body.substring(body.indexOf('[') + 1, body.lastIndexOf(']')))
                .filter(rows -> !rows.isEmpty());
        return listed.collect(Collectors.joining(",", first.substring(0, first.indexOf('[') + 1), "]"));
    }

    public WireReply post(String path, String body) {
        return send(WireRequest.of("POST", path).body(body));
    }

    public WireRequest signed(WireRequest request) {
        if (request.has("authorization")) {
            return request;
        }
        var date = request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase("x-ms-date"))
                .map(WireRequest.Header::value)
                .findFirst()
                .orElse(null);
        var dated = date == null ? request.header("x-ms-date", Signature.date(Instant.now())) : request;
        var signedDate = date == null ? dated.headers().getLast().value() : date;
        return dated.header("authorization", Signature.ofNames(key, request.method(), request.path(), signedDate));
    }

    /** The bytes of a signed request, for tests that send them in pieces. */
    public byte[] bytes(WireRequest request) {
        return signed(request).bytes("localhost:" + port);
    }

    /** Sends the request exactly as it is. */
    public WireReply exchange(WireRequest request) {
        try (var connection = new WireConnection(port)) {
            connection.send(request.bytes("localhost:" + port));
            return request.method().equals("HEAD") ? connection.replyWithoutBody() : connection.reply();
        } catch (IOException failure) {
            throw new UncheckedIOException(request.method() + " " + request.path(), failure);
        }
    }
}
