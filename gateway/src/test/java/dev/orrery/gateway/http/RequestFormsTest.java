package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every form of request, good or bad, and what comes back for it. */
final class RequestFormsTest {
    private static HttpServer server;

    @BeforeAll
    static void start() {
        server = HttpServer.start(HeldTime.config(), Handlers::echo);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A good request, with bars for line ends. */
    private record Served(String name, String sent, String understood) {}

    private static final Stream<Served> GOOD = Stream.of(
            new Served("a plain request", "GET /a/b HTTP/1.1|Host: x||", "GET /a/b ? "),
            new Served("a query", "GET /a?b=c&d HTTP/1.1|Host: x||", "GET /a ?b=c&d "),
            new Served("an empty query", "GET /a? HTTP/1.1|Host: x||", "GET /a ? "),
            new Served("a second question mark", "GET /a?b?c HTTP/1.1|Host: x||", "GET /a ?b?c "),
            new Served("several leading slashes", "GET //a/ HTTP/1.1|Host: x||", "GET //a/ ? "),
            new Served("escapes, left alone", "GET /%2F%20a HTTP/1.1|Host: x||", "GET /%2F%20a ? "),
            new Served("raw UTF-8, escaped", "GET /\u00c3\u00a9?\u00c3 HTTP/1.1|Host: x||", "GET /%C3%A9 ?%C3 "),
            new Served("an absolute target", "GET http://y:1/a?b HTTP/1.1|Host: x||", "GET /a ?b "),
            new Served("an absolute target without path", "GET http://y HTTP/1.1|Host: x||", "GET / ? "),
            new Served("an absolute target with a bare query", "GET http://y?b HTTP/1.1|Host: x||", "GET / ?b "),
            new Served("the asterisk", "OPTIONS * HTTP/1.1|Host: x||", "OPTIONS * ? "),
            new Served("a URL within a query", "GET /a?b=http://c/d HTTP/1.1|Host: x||", "GET /a ?b=http://c/d "),
            new Served("an unknown method", "BREW /pot HTTP/1.1|Host: x||", "BREW /pot ? "),
            new Served("a method in lower case", "get / HTTP/1.1|Host: x||", "get / ? "),
            new Served("a body", "POST / HTTP/1.1|Host: x|Content-Length: 3||abc", "POST / ? abc"),
            new Served("an empty body", "POST / HTTP/1.1|Host: x|Content-Length: 0||", "POST / ? "),
            new Served("a body with GET", "GET / HTTP/1.1|Host: x|Content-Length: 3||abc", "GET / ? abc"),
            new Served("chunks", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||1|a|0002|bc|0||", "POST / ? abc"),
            new Served(
                    "chunks in capitals, with extensions and trailers",
                    "POST / HTTP/1.1|Host: x|Transfer-Encoding: CHUNKED||A;b=c|0123456789|0|T: u||",
                    "POST / ? 0123456789"),
            new Served("an empty line before the request", "|GET / HTTP/1.1|Host: x||", "GET / ? "),
            new Served("spaces around a value", "GET / HTTP/1.1|Host:   x  ||", "GET / ? "),
            new Served("an empty value", "GET / HTTP/1.1|Host: x|x-ms-continuation:||", "GET / ? "),
            new Served("an empty expectation", "GET / HTTP/1.1|Host: x|Expect:||", "GET / ? "),
            new Served("HTTP/1.0 without host", "GET /old HTTP/1.0|Connection: keep-alive||", "GET /old ? "));

    @TestFactory
    Stream<DynamicTest> isServed() {
        return GOOD.map(row -> dynamicTest(row.name(), () -> {
            try (var client = RawClient.to(server)) {
                var reply = client.send(wire(row.sent())).reply();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo(row.understood());
                assertTheConnectionStillServes(client);
            }
        }));
    }

    @Test
    void anAbsoluteTargetSaysWhoIsMeantWhateverTheHostHeaderSays() throws IOException {
        HttpHandler host = (request, reply) -> reply.accept(HttpReply.status(200)
                .body(request.header("host").orElse("nobody").getBytes(StandardCharsets.US_ASCII))
                .build());
        try (var meant = HttpServer.start(HeldTime.config(), host);
                var client = RawClient.to(meant)) {
            for (var sent : List.of(
                    "GET http://y:1/a HTTP/1.1|Host: x||",
                    "GET HTTPS://y:1 HTTP/1.1|Host: x||",
                    "GET ftp://y:1?http://z/ HTTP/1.1|Host: x||",
                    "GET http://y:1/a HTTP/1.0|Connection: keep-alive||",
                    "GET /http://x/ HTTP/1.1|Host: y:1||")) {
                assertThat(client.send(wire(sent)).reply().body()).as(sent).isEqualTo("y:1");
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> isUnderstoodByteByByte() {
        return Stream.of(
                        "POST /a?b HTTP/1.1|Host: x|Content-Length: 3||abc",
                        "POST /a?b HTTP/1.1|Host: x|Transfer-Encoding: chunked||1;e|a|2|bc|0|T: u||")
                .map(text -> dynamicTest(text, () -> {
                    var sent = wire(text);
                    try (var client = RawClient.to(server)) {
                        for (var i = 0; i < sent.length(); i++) {
                            client.send(sent.substring(i, i + 1));
                        }
                        assertThat(client.reply().body()).isEqualTo("POST /a ?b abc");
                        assertTheConnectionStillServes(client);
                    }
                }));
    }

    /** A bad request, with bars for line ends. */
    private record Refused(String name, int status, String sent) {}

    private static final String POST = "POST / HTTP/1.1|Host: x|";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked||";
    private static final String LONG = "a".repeat(70_000);

    private static final Stream<Refused> BAD = Stream.of(
            new Refused("no request at all", 400, "hello||"),
            new Refused("a request line of two words", 400, "GET /||"),
            new Refused("another protocol", 400, "GET / SPDY/3|Host: x||"),
            new Refused("a later version", 505, "GET / HTTP/2.0|Host: x||"),
            new Refused("the greeting of HTTP/2", 505, "PRI * HTTP/2.0||SM||"),
            new Refused("a version that is no number", 400, "GET / HTTP/x.y|Host: x||"),
            new Refused("a control character in the target", 400, "GET /\u0001 HTTP/1.1|Host: x||"),
            new Refused("a zero byte in the target", 400, "GET /\u0000 HTTP/1.1|Host: x||"),
            new Refused("a method with a colon", 400, "G:T / HTTP/1.1|Host: x||"),
            new Refused("line ends without carriage return", 400, "GET / HTTP/1.1\nHost: x\n\n"),
            new Refused("a TLS greeting where TLS is off", 400, "\u0016\u0003\u0001\u0000\u0005hello||"),
            new Refused("a header without colon", 400, "GET / HTTP/1.1|Host: x|broken||"),
            new Refused("a header without name", 400, "GET / HTTP/1.1|Host: x|: y||"),
            new Refused("a space before the colon", 400, "GET / HTTP/1.1|Host : x||"),
            new Refused("a zero byte in a value", 400, "GET / HTTP/1.1|Host: x|A: \u0000||"),
            new Refused("no host", 400, "GET / HTTP/1.1||"),
            new Refused("two hosts", 400, "GET / HTTP/1.1|Host: x|Host: y||"),
            new Refused("two hosts beside an absolute target", 400, "GET http://z/ HTTP/1.1|Host: x|Host: y||"),
            new Refused("an absolute target without host", 400, "GET http:///a HTTP/1.1|Host: x||"),
            new Refused("an absolute target with a user", 400, "GET http://x@y/a HTTP/1.1|Host: x||"),
            new Refused("two origins", 400, "GET / HTTP/1.1|Host: x|Origin: http://x|Origin: http://y||"),
            new Refused("a negative length", 400, POST + "Content-Length: -1||"),
            new Refused("a signed length", 400, POST + "Content-Length: +1||a"),
            new Refused("a length that is no number", 400, POST + "Content-Length: one||a"),
            new Refused("a length beyond any integer", 400, POST + "Content-Length: 99999999999999999999||"),
            new Refused("an empty length", 400, POST + "Content-Length:||"),
            new Refused("two lengths", 400, POST + "Content-Length: 1|Content-Length: 1||a"),
            new Refused("a list of lengths", 400, POST + "Content-Length: 1, 2||a"),
            new Refused("length and chunks", 400, POST + "Content-Length: 3|Transfer-Encoding: chunked||0||"),
            new Refused("chunks and length", 400, POST + "Transfer-Encoding: chunked|Content-Length: 3||0||"),
            new Refused("an unknown encoding", 400, POST + "Transfer-Encoding: gzip||"),
            new Refused("chunks of an unknown encoding", 501, POST + "Transfer-Encoding: gzip, chunked||0||"),
            new Refused("the same in other words", 501, POST + "transfer-encoding: x-gzip ,\tchunked||0||"),
            new Refused("the same in two lines", 501, POST + "Transfer-Encoding: gzip|Transfer-Encoding: chunked||0||"),
            new Refused("chunked with a parameter", 400, POST + "Transfer-Encoding: chunked;q=1||0||"),
            new Refused("identity, then chunked", 501, POST + "Transfer-Encoding: identity, chunked||0||"),
            new Refused("chunked not last", 400, POST + "Transfer-Encoding: chunked, gzip||0||"),
            new Refused("chunked twice", 400, POST + "Transfer-Encoding: chunked, chunked||0||"),
            new Refused("chunks in HTTP/1.0", 400, "POST / HTTP/1.0|Transfer-Encoding: chunked||0||"),
            new Refused("a chunk size that is no number", 400, CHUNKED + "xyz|abc|0||"),
            new Refused("an empty chunk size", 400, CHUNKED + "|abc|0||"),
            new Refused("a negative chunk size", 400, CHUNKED + "-1|abc|0||"),
            new Refused("a chunk size beyond any integer", 400, CHUNKED + "FFFFFFFFFFFFFFFFF|abc"),
            new Refused("a chunk longer than it says", 400, CHUNKED + "1|abc|0||"),
            new Refused("a body too long by its length", 413, POST + "Content-Length: 4194305||"),
            new Refused("a body of many gigabytes", 413, POST + "Content-Length: 999999999999||"),
            new Refused("an unknown expectation", 417, POST + "Expect: a miracle|Content-Length: 1||a"),
            new Refused(
                    "a body too long, asked for first", 413, POST + "Expect: 100-continue|Content-Length: 4194305||"),
            new Refused("a long request line", 431, "GET /" + LONG + " HTTP/1.1|Host: x||"),
            new Refused("a long value", 431, "GET / HTTP/1.1|Host: x|A: " + LONG + "||"),
            new Refused("a long name", 431, "GET / HTTP/1.1|Host: x|" + LONG + ": a||"),
            new Refused("many headers", 431, "GET / HTTP/1.1|Host: x|" + "A: b|".repeat(20_000) + "|"),
            new Refused(
                    "a line and headers too long together",
                    431,
                    "GET /" + "a".repeat(40_000) + " HTTP/1.1|Host: x|A: " + "a".repeat(40_000) + "||"),
            new Refused("a long chunk extension", 431, CHUNKED + "1;" + LONG + "|a|0||"));

    @TestFactory
    Stream<DynamicTest> isRefusedInJsonAndTheConnectionClosed() {
        return BAD.map(row -> dynamicTest(row.name(), () -> {
            try (var client = RawClient.to(server)) {
                var reply = client.send(wire(row.sent())).reply();
                assertThat(reply.status()).isEqualTo(row.status());
                assertThat(reply.header("content-type")).isEqualTo("application/json");
                assertThat(reply.header("connection")).isEqualTo("close");
                assertThat(reply.body()).matches("\\{\"code\":\"[A-Za-z]+\",\"message\":\"[^\"]+\"}");
                assertThat(client.isClosed()).isTrue();
            }
        }));
    }

    private static void assertTheConnectionStillServes(RawClient client) throws IOException {
        var reply = client.send(wire("PUT /next HTTP/1.1|Host: x|Content-Length: 1||z"))
                .reply();
        assertThat(reply.body()).isEqualTo("PUT /next ? z");
    }

    private static String wire(String text) {
        return text.replace("|", "\r\n");
    }
}
