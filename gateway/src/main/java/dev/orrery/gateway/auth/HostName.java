package dev.orrery.gateway.auth;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;

/** The host of an address, spelled in one way: in lower case, without port, brackets, and the dot that ends a full name. */
public record HostName(String text) {

    /** From {@code name:port}, {@code [::1]:port} and the same without a port. */
    public static HostName of(String authority) {
        var lower = authority.strip().toLowerCase(Locale.ROOT);
        int colon = lower.lastIndexOf(':');
        // Two colons without brackets are an address of IP version 6, as people type it.
        boolean isNumber = lower.substring(colon + 1).chars().allMatch(Character::isDigit);
        boolean isBehindHost =
                colon > lower.lastIndexOf(']') && (lower.indexOf(':') == colon || lower.charAt(colon - 1) == ']');
        var host = isNumber && isBehindHost ? lower.substring(0, colon) : lower;
        if (host.startsWith("[") && host.endsWith("]")) {
            return new HostName(host.substring(1, host.length() - 1));
        }
        return new HostName(host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
    }

    public boolean isAddress() {
        return NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text);
    }

    /** Whether only this machine can be meant: no name server has a say in what ends with {@code localhost}. */
    public boolean isLoopback() {
        return text.equals("localhost")
                || text.endsWith(".localhost")
                || (isAddress() && InetAddress.ofLiteral(text).isLoopbackAddress());
    }
}
