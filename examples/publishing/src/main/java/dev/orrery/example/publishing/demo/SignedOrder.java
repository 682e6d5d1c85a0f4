package dev.orrery.example.publishing.demo;

import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.LocalServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An order to a server, signed as a request for the account. */
final class SignedOrder {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int OK = 200;

    private SignedOrder() {}

    /** Gives it; whoever sends it on to many at once shares the client. */
    static void post(HttpClient client, URI endpoint, String path, String body) {
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        var request = HttpRequest.newBuilder(endpoint.resolve(path))
                .header("date", date)
                .header("authorization", authorization(date))
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> reply;
        try {
            reply = client.send(request, BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new DemoException("The server at " + endpoint + " does not answer: " + failure.getMessage(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DemoException("It was stopped.", interrupted);
        }
        if (reply.statusCode() != OK) {
            throw new DemoException("The server at " + endpoint + " refuses: " + reply.body());
        }
    }

    private static String authorization(String date) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(LocalServer.KEY), ALGORITHM));
            var signed = "post\n\n\n\n" + date.toLowerCase(Locale.ROOT) + "\n";
            var signature = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
            return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, missing);
        }
    }
}
