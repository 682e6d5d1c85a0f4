package dev.orrery.gateway.http;

import java.util.HexFormat;

/** The target of a request line, cut into path and query: {@code /path?query}, {@code http://host/path?query} or {@code *}. */
record RequestTarget(String path, String query) {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    static RequestTarget of(String target) {
        var local = escaped(withoutAuthority(target));
        var question = local.indexOf('?');
        return question < 0
                ? new RequestTarget(local, "")
                : new RequestTarget(local.substring(0, question), local.substring(question + 1));
    }

    // Proxies send absolute targets; the Host header already tells who is meant.
    private static String withoutAuthority(String target) {
        if (target.isEmpty()) {
            throw new RefusedRequestException(Refusal.MALFORMED);
        }
        if (target.charAt(0) == '/') {
            return target;
        }
        var scheme = target.indexOf("://");
        if (scheme < 0) {
            return target;
        }
        for (var i = scheme + 3; i < target.length(); i++) {
            var c = target.charAt(i);
            if (c == '/') {
                return target.substring(i);
            }
            if (c == '?') {
                return "/" + target.substring(i);
            }
        }
        return "/";
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
