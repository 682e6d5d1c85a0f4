package dev.orrery.gateway.reply;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.net.URI;
import java.util.Optional;

/**
 * The address at which clients are told to find us.
 *
 * @param fixed told to everybody; when absent, each client is told the address that it has used itself, which is right
 *     behind port mappings and in containers
 * @param proxyTrusted whether to believe a proxy's word on what the client has used
 */
public record Advertised(Optional<String> fixed, boolean proxyTrusted) {
    /** Scheme and host as the client has used them. */
    public static final Advertised AS_USED = new Advertised(Optional.empty(), false);

    String endpoint(HttpRequest request) {
        return fixed.orElseGet(() -> scheme(request) + "://" + host(request) + "/");
    }

    /** The same at another port, where another server of this machine listens. */
    String endpoint(HttpRequest request, int port) {
        var scheme = fixed.map(url -> URI.create(url).getScheme()).orElseGet(() -> scheme(request));
        return scheme + "://" + hostName(request) + ":" + port + "/";
    }

    /** The host name or address that the client reaches us by, without a port. */
    public String hostName(HttpRequest request) {
        var authority = fixed.map(url -> URI.create(url).getAuthority()).orElseGet(() -> host(request));
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    private String scheme(HttpRequest request) {
        var forwarded = forwarded(request, "x-forwarded-proto");
        if (forwarded.isPresent()) {
            return forwarded.get().equalsIgnoreCase("https") ? "https" : "http";
        }
        return request.secure() ? "https" : "http";
    }

    private String host(HttpRequest request) {
        var host = forwarded(request, "x-forwarded-host")
                .or(() -> request.header("host"))
                .orElseThrow(() -> bad("The request has no Host header."));
        if (!host.chars().allMatch(Advertised::fitsHost)) {
            throw bad("The Host header is not a host name or address with a port.");
        }
        return host;
    }

    private static boolean fitsHost(int character) {
        return character < 0x80 && (Character.isLetterOrDigit(character) || ".-_:[]".indexOf(character) >= 0);
    }

    /** Every proxy on the way appends what it has seen; the first is what the client used. */
    private Optional<String> forwarded(HttpRequest request, String name) {
        return proxyTrusted ? request.header(name).map(value -> value.split(",", 2)[0].strip()) : Optional.empty();
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
