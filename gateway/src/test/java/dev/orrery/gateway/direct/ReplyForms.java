package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.route.PercentCoding;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds a reply over HTTP against the frame that says the same. Which token is which header, and of which type, is said
 * here again: this is the table of the SDKs, not that of the server.
 */
final class ReplyForms {
    private static final int ULONG = 0x02;
    private static final int LONG_LONG = 0x05;
    private static final int SMALL_STRING = 0x07;
    private static final int STRING = 0x08;
    private static final int DOUBLE = 0x0e;

    private record Token(int id, int type) {}

    private static final Map<String, Token> TOKENS = Map.ofEntries(
            Map.entry("x-ms-last-state-change-utc", new Token(0x02, SMALL_STRING)),
            Map.entry("x-ms-continuation", new Token(0x03, STRING)),
            Map.entry("etag", new Token(0x04, STRING)),
            Map.entry("x-ms-retry-after-ms", new Token(0x0c, ULONG)),
            Map.entry("x-ms-resource-quota", new Token(0x0e, STRING)),
            Map.entry("x-ms-resource-usage", new Token(0x0f, STRING)),
            Map.entry("x-ms-schemaversion", new Token(0x10, SMALL_STRING)),
            Map.entry("lsn", new Token(0x13, LONG_LONG)),
            Map.entry("x-ms-item-count", new Token(0x14, ULONG)),
            Map.entry("x-ms-request-charge", new Token(0x15, DOUBLE)),
            Map.entry("x-ms-alt-content-path", new Token(0x17, STRING)),
            Map.entry("x-ms-content-path", new Token(0x18, STRING)),
            Map.entry("x-ms-substatus", new Token(0x1c, ULONG)),
            Map.entry("x-ms-documentdb-collection-index-transformation-progress", new Token(0x1d, ULONG)),
            Map.entry("x-ms-documentdb-partitionkeyrangeid", new Token(0x21, STRING)),
            Map.entry("x-ms-documentdb-script-log-results", new Token(0x25, STRING)),
            Map.entry("x-ms-documentdb-query-metrics", new Token(0x28, STRING)),
            Map.entry("x-ms-item-lsn", new Token(0x32, LONG_LONG)),
            Map.entry("x-ms-session-token", new Token(0x3e, STRING)),
            Map.entry("x-ms-cosmos-index-utilization", new Token(0x44, STRING)),
            Map.entry("x-ms-cosmos-query-execution-info", new Token(0x45, STRING)),
            Map.entry("x-ms-request-duration-ms", new Token(0x51, DOUBLE)),
            Map.entry("x-ms-cosmos-query-advice", new Token(0x75, STRING)));

    /** Headers that mean something over HTTP only. */
    private static final Set<String> OVER_HTTP = Set.of(
            "x-ms-activity-id",
            "x-ms-serviceversion",
            "x-ms-gatewayversion",
            "x-ms-cosmos-min-throughput",
            "x-ms-offer-replace-pending",
            "content-type",
            "allow");

    /** Whether there is a payload, the number of the request, quorum, replicas, role and regions. */
    private static final Set<Integer> ALWAYS = Set.of(0x00, 0x35, 0x1e, 0x1f, 0x26, 0x30);

    private static final int LSN = 0x13;
    /** The LSN once more, for each of what clients compare it with. */
    private static final Set<Integer> LSNS = Set.of(0x1a, 0x29, 0x3a, 0x3b);

    private static final int ITEM_LSN = 0x32;
    private static final int ITEM_LOCAL_LSN = 0x3c;
    private static final int SUBSTATUS = 0x1c;

    private ReplyForms() {}

    static void assertSame(HttpReply http, ByteBuf frame) {
        var tokens = tokens(frame);
        assertThat(statusOf(frame) + "/" + tokens.getOrDefault(SUBSTATUS, "0")).isEqualTo(statusInDirectMode(http));

        var explained = new TreeSet<>(ALWAYS);
        explained.addAll(LSNS);
        explained.add(LSN);
        explained.add(SUBSTATUS);
        http.forEachHeader((name, value) -> {
            var token = TOKENS.get(name);
            if (token == null) {
                assertThat(OVER_HTTP).contains(name.toLowerCase(Locale.ROOT));
            } else if (token.id() != SUBSTATUS) {
                assertThat(tokens.get(token.id())).as(name).isEqualTo(inAFrame(name, value));
                explained.add(token.id());
            }
        });
        if (tokens.containsKey(ITEM_LSN)) {
            explained.add(ITEM_LOCAL_LSN);
            assertThat(tokens.get(ITEM_LOCAL_LSN)).isEqualTo(tokens.get(ITEM_LSN));
        }
        for (int id : LSNS) {
            assertThat(tokens.get(id)).isEqualTo(tokens.get(LSN));
        }
        assertThat(explained).containsAll(tokens.keySet());
        assertThat(tokens.keySet()).containsAll(ALWAYS).contains(LSN);
        assertThat(payload(frame)).isEqualTo(withoutActivity(bodyOnTheWire(http)));
        assertThat(tokens.get(0x00)).isEqualTo(payload(frame).isEmpty() ? "0" : "1");
    }

    /** Clients in Direct mode know two of them by other numbers. */
    private static String statusInDirectMode(HttpReply http) {
        var status = http.status() + "/" + http.header("x-ms-substatus").orElse("0");
        return switch (status) {
            case "400/1024" -> "410/1000";
            case "410/1002" -> "410/1007";
            default -> status;
        };
    }

    private static String inAFrame(String name, String value) {
        return switch (name) {
            case "x-ms-session-token" -> value.substring(value.indexOf(':') + 1);
            case "x-ms-alt-content-path" -> PercentCoding.decode(value);
            case "x-ms-request-charge", "x-ms-request-duration-ms" -> Double.toString(Double.parseDouble(value));
            default -> value;
        };
    }

    private static String bodyOnTheWire(HttpReply http) {
        return http.status() == 204 || http.status() == 304 ? "" : new String(http.bodyBytes(), StandardCharsets.UTF_8);
    }

    private static String withoutActivity(String body) {
        return body.replaceAll("ActivityId: [-0-9a-f]+", "");
    }

    // ---- reading a frame as the SDKs do ----

    private static int statusOf(ByteBuf frame) {
        return frame.getIntLE(4);
    }

    private static String payload(ByteBuf frame) {
        int head = frame.getIntLE(0);
        if (frame.readableBytes() == head) {
            return "";
        }
        assertThat(frame.getIntLE(head)).isEqualTo(frame.readableBytes() - head - 4);
        return withoutActivity(frame.toString(head + 4, frame.readableBytes() - head - 4, StandardCharsets.UTF_8));
    }

    /** Values as text, by id. What the SDKs know they read by the type of their own table. */
    private static Map<Integer, String> tokens(ByteBuf frame) {
        var tokens = new HashMap<Integer, String>();
        var in = frame.slice(24, frame.getIntLE(0) - 24);
        while (in.isReadable()) {
            int id = in.readUnsignedShortLE();
            int type = in.readUnsignedByte();
            var known =
                    TOKENS.values().stream().filter(token -> token.id() == id).findFirst();
            known.ifPresent(token -> assertThat(type).as("type of %x", id).isEqualTo(token.type()));
            var value = switch (type) {
                case 0x00 -> Integer.toString(in.readUnsignedByte());
                case ULONG -> Long.toString(in.readUnsignedIntLE());
                case LONG_LONG -> Long.toString(in.readLongLE());
                case SMALL_STRING -> text(in, in.readUnsignedByte());
                case STRING -> text(in, in.readUnsignedShortLE());
                case DOUBLE -> Double.toString(Double.longBitsToDouble(in.readLongLE()));
                default -> throw new AssertionError("a token of type " + type);
            };
            assertThat(tokens.put(id, value)).as("token %x is there once", id).isNull();
        }
        return tokens;
    }

    private static String text(ByteBuf in, int bytes) {
        var text = new byte[bytes];
        in.readBytes(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
