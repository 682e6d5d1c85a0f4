package dev.orrery.gateway.tls;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The host names and addresses that a certificate speaks for, each spelled in one way only. */
record SubjectNames(Set<String> hosts, Set<String> addresses) {
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?");
    private static final int HOST_NAME = 2;
    private static final int ADDRESS = 7;

    SubjectNames {
        hosts = Set.copyOf(hosts);
        addresses = Set.copyOf(addresses);
    }

    /** What clients on the same machine call the server, and the given names. */
    static SubjectNames localAnd(Collection<String> names) {
        var hosts = new TreeSet<String>();
        var addresses = new TreeSet<String>();
        hosts.add("localhost");
        addresses.add(spelled("127.0.0.1"));
        addresses.add(spelled("::1"));
        for (var name : names) {
            var lower = name.strip().toLowerCase(Locale.ROOT);
            if (isAddress(lower)) {
                addresses.add(spelled(lower));
            } else if (HOST.matcher(lower).matches()) {
                hosts.add(lower);
            } else {
                throw new IllegalArgumentException(
                        "\"" + name + "\" is neither a host name nor an address, so no certificate can be made for it");
            }
        }
        return new SubjectNames(hosts, addresses);
    }

    /** These and one more host name, if it is one that a certificate can hold. */
    SubjectNames and(Optional<String> host) {
        var more = new TreeSet<>(hosts);
        host.map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> HOST.matcher(name).matches() && !isAddress(name))
                .ifPresent(more::add);
        return new SubjectNames(more, addresses);
    }

    static SubjectNames of(X509Certificate certificate) throws CertificateParsingException {
        var hosts = new TreeSet<String>();
        var addresses = new TreeSet<String>();
        var entries = certificate.getSubjectAlternativeNames();
        if (entries != null) {
            for (var entry : entries) {
                switch ((Integer) entry.get(0)) {
                    case HOST_NAME -> hosts.add(((String) entry.get(1)).toLowerCase(Locale.ROOT));
                    case ADDRESS -> addresses.add(spelled((String) entry.get(1)));
                    default -> {} // mail addresses and the like name no server
                }
            }
        }
        return new SubjectNames(hosts, addresses);
    }

    boolean cover(SubjectNames wanted) {
        return hosts.containsAll(wanted.hosts) && addresses.containsAll(wanted.addresses);
    }

    private static boolean isAddress(String name) {
        return NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name);
    }

    private static String spelled(String address) {
        return InetAddress.ofLiteral(address).getHostAddress();
    }
}
