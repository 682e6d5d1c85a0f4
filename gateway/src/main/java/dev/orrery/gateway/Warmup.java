package dev.orrery.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A few requests as SDKs send them. The build runs them once, so that the class cache knows what a server needs from its
 * first request on.
 */
public final class Warmup {
    private final String endpoint;
    private final String key;
    private final InstantSource clock;

    public Warmup(int port, String key, InstantSource clock) {
        this.endpoint = "http://localhost:" + port;
        this.key = key;
        this.clock = clock;
    }

    public void run() throws InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            send(client, "GET", "", "", "/", "");
            send(client, "POST", "dbs", "", "/dbs", "{\"id\":\"d\"}");
            send(
                    client,
                    "POST",
                    "colls",
                    "dbs/d",
                    "/dbs/d/colls",
                    "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"]}}");
            for (int number = 0; number < 20; number++) {
                send(
                        client,
                        "POST",
                        "docs",
                        "dbs/d/colls/c",
                        "/dbs/d/colls/c/docs",
                        "{\"id\":\"1\"}",
                        "x-ms-documentdb-partitionkey",
                        "[\"1\"]",
                        "x-ms-documentdb-is-upsert",
                        "true");
                send(
                        client,
                        "GET",
                        "docs",
                        "dbs/d/colls/c/docs/1",
                        "/dbs/d/colls/c/docs/1",
                        "",
                        "x-ms-documentdb-partitionkey",
                        "[\"1\"]");
            }
            send(
                    client,
                    "POST",
                    "docs",
                    "dbs/d/colls/c",
                    "/dbs/d/colls/c/docs",
                    "{\"query\":\"SELECT * FROM c\"}",
                    "x-ms-documentdb-isquery",
                    "true",
                    "Content-Type",
                    "application/query+json");
            send(client, "GET", "pkranges", "dbs/d/colls/c", "/dbs/d/colls/c/pkranges", "");
        } catch (IOException | GeneralSecurityException problem) {
            throw new IllegalStateException("The warm-up failed", problem);
        }
    }

    private void send(
            HttpClient client, String method, String type, String link, String path, String body, String... headers)
            throws IOException, InterruptedException, GeneralSecurityException {
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.instant().atOffset(ZoneOffset.UTC));
        var request = HttpRequest.newBuilder(URI.create(endpoint + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("authorization", signature(method, type, link, date))
                .header("x-ms-date", date);
        if (headers.length > 0) {
            request.headers(headers);
        }
        var reply = client.send(request.build(), BodyHandlers.ofString());
        if (reply.statusCode() >= 300) {
            throw new IllegalStateException(
                    "The warm-up's " + method + " " + path + " was answered with " + reply.body());
        }
    }

    private String signature(String method, String type, String link, String date) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
        var text = method.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n" + date.toLowerCase(Locale.ROOT)
                + "\n\n";
        var signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
    }
}
