package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A header that the gateway learns must not be forgotten in Direct mode: it has a token, or a reason to have none. */
class HeaderTableTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/orrery/gateway");

    /** Headers of requests that no frame carries: said by the kind of frame, or only asked over HTTP. */
    private static final Set<String> REQUESTS_WITHOUT_TOKEN = Set.of(
            // The kind of frame says it.
            "content-type",
            "x-ms-documentdb-isquery",
            "x-ms-documentdb-is-upsert",
            "x-ms-cosmos-is-batch-request",
            "x-ms-cosmos-is-query-plan-request",
            "if-match",
            "if-none-match",
            "x-ms-activity-id",
            // A frame names a range or a key.
            "x-ms-documentdb-query-enablecrosspartition",
            // Clients in Direct mode make and change containers and offers over HTTP.
            "x-ms-offer-throughput",
            "x-ms-cosmos-offer-autopilot-settings",
            "x-ms-cosmos-migrate-offer-to-autopilot",
            "x-ms-cosmos-migrate-offer-to-manual-throughput",
            // Of HTTP itself.
            "host",
            "date",
            "origin",
            "last-event-id",
            "x-forwarded-host",
            "x-forwarded-proto",
            "access-control-request-headers",
            // Ours: for people and tools, which speak HTTP.
            "x-orrery-explain",
            "x-orrery-charge-details",
            "x-orrery-max-charge",
            "x-orrery-serve-raw-query",
            "x-orrery-previous-images");

    private static final Set<String> REPLIES_WITHOUT_TOKEN = Set.of(
            // In the frame itself, or in several tokens.
            "x-ms-activity-id",
            "lsn",
            "x-ms-item-lsn",
            // Only on replies to requests that come over HTTP.
            "x-ms-cosmos-min-throughput",
            "x-ms-offer-replace-pending",
            "x-ms-gatewayversion",
            "x-ms-serviceversion",
            "Content-Type",
            "Cache-Control",
            "Allow",
            "Access-Control-Allow-Headers",
            "Access-Control-Allow-Methods",
            "Access-Control-Allow-Origin",
            "Access-Control-Expose-Headers",
            "Access-Control-Max-Age",
            "Vary",
            "x-orrery-explain",
            "x-orrery-charge-details");

    private static final Pattern ASKED = Pattern.compile(
            "(?:headers|asked|\\)|request|exchange\\.request\\(\\))\\s*\\.(?:text|isTrue|number|list|header|find)\\(\\s*\"([A-Za-z-]+)\"");
    private static final Pattern ANSWERED = Pattern.compile("(?:reply|\\))\\s*\\.header\\(\\s*\"([A-Za-z-]+)\",");

    @Test
    void everyHeaderOfARequestHasATokenOrAReason() throws IOException {
        var known = new TreeSet<>(REQUESTS_WITHOUT_TOKEN);
        Arrays.stream(RequestToken.values()).forEach(token -> known.add(token.header()));
        assertThat(names(ASKED, "request", "auth")).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void everyHeaderOfAReplyHasATokenOrAReason() throws IOException {
        var known = new TreeSet<>(REPLIES_WITHOUT_TOKEN);
        Arrays.stream(ReplyToken.values()).forEach(token -> known.add(token.header()));
        assertThat(names(ANSWERED, "reply")).isNotEmpty().isSubsetOf(known);
    }

    private static Set<String> names(Pattern form, String... packages) throws IOException {
        var names = new TreeSet<String>();
        for (var name : packages) {
            try (var files = Files.list(SOURCES.resolve(name))) {
                for (var file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    var found = form.matcher(Files.readString(file));
                    while (found.find()) {
                        names.add(found.group(1));
                    }
                }
            }
        }
        return names;
    }
}
