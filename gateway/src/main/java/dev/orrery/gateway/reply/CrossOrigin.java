package dev.orrery.gateway.reply;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import java.net.URI;
import java.net.URISyntaxException;
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

    private static final Set<String> LOOPBACK_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";

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

    private Optional<String> allowedOrigin(HttpRequest request) {
        return request.header("origin")
                .filter(CrossOrigin::isPrintable)
                .filter(origin -> origins.contains("*") || origins.contains(origin) || isLoopback(origin));
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(character -> character >= ' ' && character < 0x7f);
    }

    private static boolean isLoopback(String origin) {
        try {
            var host = new URI(origin).getHost();
            return host != null && LOOPBACK_HOSTS.contains(host);
        } catch (URISyntaxException _) {
            return false;
        }
    }
}
