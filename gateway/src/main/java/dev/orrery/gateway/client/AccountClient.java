package dev.orrery.gateway.client;

import dev.orrery.gateway.auth.HttpDate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends requests to an account, signed with its key. */
public final class AccountClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** A little more than a server gives any request. */
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(90);

    private static final String ALGORITHM = "HmacSHA256";
    private static final String VERSION = "2020-07-15";
    private static final int NOT_FOUND = 404;

    private final URI endpoint;
    private final SecretKeySpec key;
    private final InstantSource clock;
    private final HttpClient http;

    /**
     * Opens no connection yet.
     *
     * @param key in base64
     */
    public AccountClient(URI endpoint, String key, InstantSource clock) {
        this.endpoint = endpoint;
        this.key = new SecretKeySpec(Base64.getDecoder().decode(key), ALGORITHM);
        this.clock = clock;
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        if (LoopbackTrust.applies(endpoint)) {
            builder.sslContext(LoopbackTrust.context());
        }
        this.http = builder.build();
    }

    /**
     * Sends a request and waits for the reply.
     *
     * @param link of the resource or of the parent of the feed, such as {@code dbs/d}: ids as they are
     * @param feed what is asked for below the link, such as {@code colls}; empty for the resource itself
     * @param type of what is asked for, as signatures have it
     */
    HttpResponse<byte[]> send(
            String method, String link, String feed, String type, byte[] body, Map<String, String> headers)
            throws IOException, InterruptedException {
        var request = request(method, link, path(link, feed), type, headers)
                .timeout(REPLY_TIMEOUT)
                .method(method, BodyPublishers.ofByteArray(body));
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    /**
     * Opens a reply that may have no end, to be read as it comes.
     *
     * @param query of the address, with its escapes
     */
    HttpResponse<InputStream> open(String link, String feed, String type, String query, Map<String, String> headers)
            throws IOException, InterruptedException {
        var request = request("GET", link, path(link, feed) + "?" + query, type, headers);
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    public boolean hasDatabase(String id) throws IOException, InterruptedException {
        return send("GET", "dbs/" + id, "", "dbs", new byte[0], Map.of()).statusCode() != NOT_FOUND;
    }

    /** Asks for something that is no part of the protocol, at a path of its own. */
    public HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        var request = request("GET", "", path, "", Map.of()).timeout(REPLY_TIMEOUT);
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Has something done that is no part of the protocol, at a path of its own. */
    public HttpResponse<String> order(String path, String body) throws IOException, InterruptedException {
        var request =
                request("POST", "", path, "", Map.of()).timeout(REPLY_TIMEOUT).POST(BodyPublishers.ofString(body));
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** The same without a body, for a reply that need not be text. */
    public HttpResponse<byte[]> order(String path) throws IOException, InterruptedException {
        var request =
                request("POST", "", path, "", Map.of()).timeout(REPLY_TIMEOUT).POST(BodyPublishers.noBody());
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private HttpRequest.Builder request(
            String method, String link, String address, String type, Map<String, String> headers) {
        var date = HttpDate.format(clock.instant());
        var request = HttpRequest.newBuilder(endpoint.resolve(address))
                .header("authorization", signature(method, type, link, date))
                .header("x-ms-date", date)
                .header("x-ms-version", VERSION);
        headers.forEach(request::header);
        return request;
    }

    private static String path(String link, String feed) {
        var whole = link.isEmpty() || feed.isEmpty() ? link + feed : link + "/" + feed;
        return Arrays.stream(whole.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/", "/", ""));
    }

    private String signature(String method, String type, String link, String date) {
        var signed = method.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + date.toLowerCase(Locale.ROOT)
                + "\n\n";
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            var signature = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, missing);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
