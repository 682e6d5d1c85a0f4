package dev.orrery.gateway;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import dev.orrery.gateway.route.Route;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Builds requests for tests. */
public final class TestRequest {
    /** What the clock shows in tests, and the date of every signed request. */
    public static final String DATE = "Sun, 15 Nov 2026 18:19:28 GMT";

    private final String method;
    private final String path;
    private final Map<String, String> headers =
            new LinkedHashMap<>(Map.of("host", "localhost:8081", "x-ms-date", DATE));
    private byte[] body = new byte[0];
    private boolean secure;

    private TestRequest(String method, String path) {
        this.method = method;
        this.path = path;
    }

    public static TestRequest of(String method, String path) {
        return new TestRequest(method, path);
    }

    public static TestRequest get(String path) {
        return of("GET", path);
    }

    public static TestRequest post(String path, String body) {
        return of("POST", path).body(body);
    }

    public TestRequest header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    public TestRequest headers(Map<String, String> more) {
        headers.putAll(more);
        return this;
    }

    public TestRequest without(String name) {
        headers.remove(name);
        return this;
    }

    public TestRequest body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    public TestRequest body(byte[] bytes) {
        body = bytes;
        return this;
    }

    public TestRequest secure() {
        secure = true;
        return this;
    }

    /** The request with a signature made with the well-known key. */
    public HttpRequest signed() {
        return signedWith(Signing.WELL_KNOWN_KEY);
    }

    public HttpRequest signedWith(String key) {
        var route = Route.parse(path.split("\\?", 2)[0]);
        var text = method.toLowerCase(Locale.ROOT) + "\n" + route.signedType() + "\n" + route.signedLink() + "\n"
                + headers.get("x-ms-date").toLowerCase(Locale.ROOT) + "\n\n";
        return header("authorization", Signing.header(key, text)).unsigned();
    }

    public HttpRequest unsigned() {
        var pathAndQuery = path.split("\\?", 2);
        return new HttpRequest(
                method,
                pathAndQuery[0],
                pathAndQuery.length == 2 ? pathAndQuery[1] : "",
                RequestHeaders.of(headers),
                body,
                secure,
                InetSocketAddress.createUnresolved("localhost", 50_000));
    }
}
