package dev.orrery.gateway.reply;

import dev.orrery.gateway.auth.HostName;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which web pages may speak to us through a browser. Pages from this machine may; others only when they are named,
 * because the well-known key would otherwise open a developer's database to every site they visit.
 *
 * @param origins more origins that may, like {@code https://app.example}; {@code *} stands for all
 */
public record CrossOrigin(Set<String> origins) {
    /** Only pages from this machine. */
    public static final CrossOrigin LOCAL_PAGES = new CrossOrigin(Set.of());

    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

    public CrossOrigin {
        origins = Set.copyOf(origins);
    }

    /** Answers a browser that asks before it sends the real request. */
    public HttpReply preflight(HttpRequest request) {
        var reply = HttpReply.status(204).header("Allow", METHODS);
        allow(request, reply);
        if (allowedOrigin(request).isPresent()) {
            reply.header("Access-Control-Allow-Methods", METHODS);
            // A star would not cover the authorization header, so the names that were asked for are repeated.
            request.header("access-control-request-headers")
                    .filter(CrossOrigin::isPrintable)
                    .ifPresent(names -> reply.header("Access-Control-Allow-Headers", names));
            reply.header("Access-Control-Max-Age", "3600");
        }
        return reply.build();
    }

    /** Lets the browser show a reply to the page that asked for it. */
    void allow(HttpRequest request, HttpReply.Builder reply) {
        allowedOrigin(request)
                .ifPresent(origin -> reply.header("Access-Control-Allow-Origin", origin)
                        .header("Access-Control-Expose-Headers", "*")
                        .header("Vary", "Origin"));
    }

    /**
     * Why a page may not do this, if it may not. A browser sends some writes before it asks whether it may, and hides only
     * the answer from the page.
     */
    public Optional<Failure> refusal(HttpRequest request) {
        var origin = request.header("origin");
        boolean changesNothing = HARMLESS.contains(request.method());
        return origin.isEmpty() || changesNothing || allowedOrigin(request).isPresent() || isOwnPage(request)
                ? Optional.empty()
                : origin.map(name -> new Failure.Forbidden("Pages from '" + name + "' may not send this: only those"
                        + " from this machine, and from origins that the server was started with, such as"
                        + " --allow-origin https://app.example."));
    }

    /** Whether the page comes from the very server that it speaks to. */
    private static boolean isOwnPage(HttpRequest request) {
        return request.header("origin")
                .flatMap(CrossOrigin::authority)
                .equals(request.header("host").map(host -> host.toLowerCase(Locale.ROOT)));
    }

    private static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(new URI(origin).getAuthority()).map(text -> text.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    private Optional<String> allowedOrigin(HttpRequest request) {
        return request.header("origin")
                .filter(CrossOrigin::isPrintable)
                .filter(origin -> origins.contains("*") || origins.contains(origin) || isLoopback(origin));
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(character -> character >= ' ' && character < 0x7f);
    }

    private static boolean isLoopback(String origin) {
        return authority(origin).map(HostName::of).filter(HostName::isLoopback).isPresent();
    }
}
