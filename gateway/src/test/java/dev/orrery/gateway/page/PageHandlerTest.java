package dev.orrery.gateway.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class PageHandlerTest {
    private static final byte[] TEXT = "hello ".repeat(100).getBytes(StandardCharsets.UTF_8);

    private final PageHandler handler = new PageHandler(
            "/_page",
            name -> switch (name) {
                case "", "style.css" -> Optional.of(new PageFile("text/css", TEXT, false));
                case "lib/1.0/code.js" -> Optional.of(new PageFile("text/javascript", TEXT, true));
                default -> Optional.empty();
            },
            Runnable::run,
            (_, reply) -> reply.accept(HttpReply.status(418).build()));

    @Test
    void otherPathsAndMethodsAreLeftToTheNextHandler() {
        assertThat(ask("GET", "/dbs", Map.of()).status()).isEqualTo(418);
        assertThat(ask("GET", "/_pages", Map.of()).status()).isEqualTo(418);
        assertThat(ask("POST", "/_page/style.css", Map.of()).status()).isEqualTo(418);
    }

    @Test
    void thePageWithoutItsSlashIsSentToTheOneWithIt() {
        var reply = ask("GET", "/_page", Map.of());
        assertThat(reply.status()).isEqualTo(308);
        assertThat(reply.header("location")).contains("/_page/");
    }

    @Test
    void aFileIsSentPackedToWhoeverUnpacksIt() throws IOException {
        var plain = ask("GET", "/_page/style.css", Map.of());
        assertThat(plain.bodyBytes()).isEqualTo(TEXT);
        var packed = ask("GET", "/_page/style.css", Map.of("accept-encoding", "br, gzip"));
        assertThat(packed.header("content-encoding")).contains("gzip");
        assertThat(packed.bodyBytes()).hasSizeLessThan(TEXT.length);
        try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.bodyBytes()))) {
            assertThat(unpacked.readAllBytes()).isEqualTo(TEXT);
        }
    }

    @Test
    void aFileThatTheBrowserHasIsNotSentAgain() {
        var tag = ask("GET", "/_page/", Map.of()).header("etag").orElseThrow();
        var again = ask("GET", "/_page/", Map.of("if-none-match", "\"other\", " + tag));
        assertThat(again.status()).isEqualTo(304);
        assertThat(ask("GET", "/_page/", Map.of("if-none-match", "\"other\"")).status())
                .isEqualTo(200);
    }

    @Test
    void onlyFilesWithAVersionInTheirAddressAreKeptUnasked() {
        assertThat(ask("GET", "/_page/style.css", Map.of()).header("cache-control"))
                .contains("no-cache");
        assertThat(ask("GET", "/_page/lib/1.0/code.js", Map.of()).header("cache-control"))
                .contains("public, max-age=31536000, immutable");
    }

    @Test
    void everyReplyForbidsFramesAndForeignScripts() {
        for (var path : new String[] {"/_page/", "/_page/style.css"}) {
            var reply = ask("GET", path, Map.of());
            assertThat(reply.header("content-security-policy").orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'");
            assertThat(reply.header("x-frame-options")).contains("DENY");
        }
        assertThat(ask("GET", "/_page/none.js", Map.of()).status()).isEqualTo(418);
    }

    private HttpReply ask(String method, String path, Map<String, String> headers) {
        var reply = new AtomicReference<HttpReply>();
        handler.handle(
                new HttpRequest(
                        method,
                        path,
                        "",
                        RequestHeaders.of(headers),
                        new byte[0],
                        false,
                        new InetSocketAddress("localhost", 1)),
                reply::set);
        return reply.get();
    }
}
