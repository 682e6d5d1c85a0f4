package dev.orrery.gateway.http;

import java.nio.charset.StandardCharsets;

/** What may stand in a Host header: {@code name} or {@code [address]}, and perhaps {@code :port}. */
final class HostField {
    private static final boolean[] OF_NAME =
            set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=%");
    private static final boolean[] OF_ADDRESS = set("abcdefABCDEF0123456789:.");
    private static final boolean[] OF_PORT = set("0123456789");
    private static final int PORT_DIGITS_MAX = 5;

    private HostField() {}

    static boolean isWellFormed(String text) {
        int end;
        if (text.startsWith("[")) {
            end = text.indexOf(']') + 1;
            if (end < 3 || !consists(text, 1, end - 1, OF_ADDRESS)) {
                return false;
            }
        } else {
            int colon = text.indexOf(':');
            end = colon < 0 ? text.length() : colon;
            if (end == 0 || !consists(text, 0, end, OF_NAME)) {
                return false;
            }
        }
        return end == text.length()
                || (text.charAt(end) == ':'
                        && text.length() - end - 1 <= PORT_DIGITS_MAX
                        && consists(text, end + 1, text.length(), OF_PORT));
    }

    private static boolean consists(String text, int from, int to, boolean[] of) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) >= of.length || !of[text.charAt(i)]) {
                return false;
            }
        }
        return true;
    }

    private static boolean[] set(String characters) {
        var set = new boolean[128];
        for (byte character : characters.getBytes(StandardCharsets.US_ASCII)) {
            set[character] = true;
        }
        return set;
    }
}
