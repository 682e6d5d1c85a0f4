package dev.orrery.conformance.wire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The authorization header of a request made with a master key, written from the rules and not from the server's code. */
public final class Signature {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Signature() {}

    public static String date(Instant moment) {
        return DATE.format(moment);
    }

    /** Signs a request whose path names its resources. */
    public static String ofNames(String key, String method, String path, String date) {
        var segments = segments(path);
        if (segments.contains("operations")) {
            return of(key, method, "colls", link(segments, segments.indexOf("operations")), date);
        }
        if (segments.getLast().equals("changes")) {
            return of(key, method, "docs", link(segments, segments.size() - 1), date);
        }
        if (segments.getFirst().equals("offers")) {
            var link = segments.size() > 1 ? segments.getLast().toLowerCase(Locale.ROOT) : "";
            return of(key, method, "offers", link, date);
        }
        var count = segments.size();
        return count % 2 == 0
                ? of(key, method, segments.get(count - 2), link(segments, count), date)
                : of(key, method, segments.get(count - 1), link(segments, count - 1), date);
    }

    /** Signs a request whose path holds resource ids: only the last of them counts, in lower case. */
    public static String ofResourceIds(String key, String method, String path, String date) {
        var segments = segments(path);
        var count = segments.size();
        var type = segments.get(count % 2 == 0 ? count - 2 : count - 1);
        var last = count == 1 ? "" : segments.get(count % 2 == 0 ? count - 1 : count - 2);
        return of(key, method, type, last.toLowerCase(Locale.ROOT), date);
    }

    static String of(String key, String method, String type, String link, String date) {
        var text = Stream.of(method.toLowerCase(Locale.ROOT), type, link, date.toLowerCase(Locale.ROOT), "")
                .reduce("", (signed, part) -> signed + part + "\n");
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            var signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<String> segments(String path) {
        var plain = path.contains("?") ? path.substring(0, path.indexOf('?')) : path;
        var segments = Stream.of(plain.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .map(Signature::decoded)
                .toList();
        return segments.isEmpty() ? List.of("") : segments;
    }

    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            // Hostile paths are signed as they stand: the server must refuse them for what they are.
            return segment;
        }
    }

    private static String link(List<String> segments, int count) {
        return String.join("/", segments.subList(0, count));
    }
}
