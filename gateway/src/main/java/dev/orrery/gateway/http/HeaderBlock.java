package dev.orrery.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reply headers that never change, spelled out once as bytes of the wire. */
public final class HeaderBlock {
    private final List<String> pairs;
    private final byte[] bytes;

    private HeaderBlock(List<String> pairs) {
        this.pairs = pairs;
        var text = new StringBuilder();
        for (var i = 0; i < pairs.size(); i += 2) {
            text.append(HttpReply.checkedName(pairs.get(i)))
                    .append(": ")
                    .append(HttpReply.checkedValue(pairs.get(i + 1)))
                    .append("\r\n");
        }
        this.bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Takes name, value, name, value and so on. */
    public static HeaderBlock of(String... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a header name without a value");
        }
        return new HeaderBlock(List.of(namesAndValues));
    }

    List<String> pairs() {
        return pairs;
    }

    byte[] bytes() {
        return bytes;
    }
}
