package dev.orrery.gateway.http;

import java.util.HexFormat;
import java.util.Optional;

/**
 * The target of a request line, taken apart: {@code /path?query}, {@code http://host/path?query} or {@code *}.
 *
 * @param authority the host and port of an absolute target, as proxies send them
 */
record RequestTarget(Optional<String> authority, String path, String query) {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    static RequestTarget of(String target) {
        if (target.isEmpty()) {
            throw new RefusedRequestException(Refusal.MALFORMED);
        }
        int scheme = target.charAt(0) == '/' ? -1 : target.indexOf("://");
        if (scheme < 0) {
            return of(Optional.empty(), target);
        }
        int begin = scheme + 3;
        int end = begin;
        while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        var local = target.substring(end);
        return of(Optional.of(target.substring(begin, end)), local.startsWith("/") ? local : "/" + local);
    }

    private static RequestTarget of(Optional<String> authority, String local) {
        var escaped = escaped(local);
        int question = escaped.indexOf('?');
        return question < 0
                ? new RequestTarget(authority, escaped, "")
                : new RequestTarget(authority, escaped.substring(0, question), escaped.substring(question + 1));
    }

    // Some clients send bytes above ASCII as they are. The reader hands them on one byte a character.
    private static String escaped(String target) {
        var firstOdd = 0;
        while (firstOdd < target.length() && isPlain(target.charAt(firstOdd))) {
            firstOdd++;
        }
        if (firstOdd == target.length()) {
            return target;
        }
        var escaped = new StringBuilder(target.length() + 16).append(target, 0, firstOdd);
        for (var i = firstOdd; i < target.length(); i++) {
            var c = target.charAt(i);
            if (isPlain(c)) {
                escaped.append(c);
            } else if (c < 0x80) {
                throw new RefusedRequestException(Refusal.MALFORMED);
            } else {
                escaped.append('%').append(HEX.toHexDigits((byte) c));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c) {
        return c > ' ' && c < 0x7f;
    }
}
