package dev.orrery.gateway.page;

import dev.orrery.gateway.http.HeaderBlock;
import dev.orrery.gateway.http.HttpHandler;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Serves the files of a web page below one path, and leaves all other requests to the next handler.
 *
 * <p>The files hold nothing of anybody: no key is asked for them. What the page does with data is done by requests to the
 * protocol that it signs itself.
 */
public final class PageHandler implements HttpHandler {
    /** Own files only, no script or style in a text, no frame around it, no form that leaves it. */
    private static final HeaderBlock SAFE = HeaderBlock.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
            "X-Frame-Options",
            "DENY",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private final String root;
    private final Function<String, Optional<PageFile>> files;
    private final Executor workers;
    private final HttpHandler next;

    // Only files that exist get in, so it cannot grow beyond them.
    private final ConcurrentHashMap<String, PackedFile> packed = new ConcurrentHashMap<>();

    /**
     * Opens no file before it is asked for.
     *
     * @param root where the page is, such as {@code /_explorer}
     * @param files finds a file by its path below that; the empty one is the page
     */
    public PageHandler(String root, Function<String, Optional<PageFile>> files, Executor workers, HttpHandler next) {
        this.root = root;
        this.files = files;
        this.workers = workers;
        this.next = next;
    }

    @Override
    public void handle(HttpRequest request, Consumer<HttpReply> reply) {
        var path = request.rawPath();
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (reads && path.equals(root)) {
            // With the slash, addresses in the page are relative to it.
            reply.accept(HttpReply.status(308).header("Location", root + "/").build());
        } else if (reads && path.startsWith(root + "/")) {
            workers.execute(() -> find(path.substring(root.length() + 1))
                    .ifPresentOrElse(file -> reply.accept(serve(request, file)), () -> next.handle(request, reply)));
        } else {
            next.handle(request, reply);
        }
    }

    private Optional<PackedFile> find(String name) {
        var known = packed.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        var found = files.apply(name).map(PackedFile::of);
        found.ifPresent(file -> packed.put(name, file));
        return found;
    }

    private static HttpReply serve(HttpRequest request, PackedFile file) {
        boolean same = request.header("if-none-match").stream()
                .flatMap(tags -> Arrays.stream(tags.split(",")))
                .map(String::strip)
                .anyMatch(file.etag()::equals);
        var reply = HttpReply.status(same ? 304 : 200)
                .headers(SAFE)
                .header("ETag", file.etag())
                .header("Vary", "Accept-Encoding")
                .header("Cache-Control", file.lasting() ? "public, max-age=31536000, immutable" : "no-cache");
        if (same) {
            return reply.build();
        }
        reply.header("Content-Type", file.contentType());
        return acceptsGzip(request)
                ? reply.header("Content-Encoding", "gzip").body(file.zipped()).build()
                : reply.body(file.plain()).build();
    }

    private static boolean acceptsGzip(HttpRequest request) {
        return request.header("accept-encoding").stream()
                .flatMap(codings -> Arrays.stream(codings.split(",")))
                .map(String::strip)
                .anyMatch(coding -> coding.equalsIgnoreCase("gzip"));
    }
}
