package dev.orrery.gateway.auth;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names under which an account is served whose key everybody knows. A web page can let its own name lead to this
 * machine, and a browser then takes us for the server of that page; only the Host header still tells.
 *
 * @param names besides those of the loopback interface; {@code *.example} stands for any one label
 * @param anyAddress whether every address is served as well: unlike a name, none can be made to lead here
 */
public record ServedNames(Set<String> names, boolean anyAddress) {
    public static final ServedNames LOOPBACK = new ServedNames(Set.of(), false);

    public ServedNames {
        names = Set.copyOf(names);
    }

    /** Names as people give them, with or without a port. */
    public static ServedNames of(Collection<String> names, boolean anyAddress) {
        return new ServedNames(
                names.stream().map(name -> HostName.of(name).text()).collect(Collectors.toSet()), anyAddress);
    }

    /** Why a request is not served, if it is not. Whoever names no host is no browser. */
    public Optional<Failure> refusal(HttpRequest request) {
        return request.header("host")
                .map(HostName::of)
                .filter(host -> !isServed(host))
                .map(host -> new Failure.Misdirected("With the well-known key this server answers only to localhost and"
                        + " to the names it was told, and '" + host.text() + "' is none of them: a web page could"
                        + " otherwise reach it under any name. Start it with --certificate-name " + host.text()
                        + ", ORRERY_CERTIFICATE_NAMES=" + host.text()
                        + " or --advertise, to serve that name, or with a --key of your own to serve every name."));
    }

    private boolean isServed(HostName host) {
        return host.isLoopback()
                || names.contains(host.text())
                || names.contains(
                        "*" + host.text().substring(Math.max(0, host.text().indexOf('.'))))
                || (anyAddress && host.isAddress());
    }
}
