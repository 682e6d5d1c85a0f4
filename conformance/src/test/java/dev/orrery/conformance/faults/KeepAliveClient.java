package dev.orrery.conformance.faults;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.Signature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Map;

/**
 * Signed requests on kept connections that are sent once and never again, so that a test knows for each of them whether
 * it was answered; the SDKs repeat requests by themselves.
 */
final class KeepAliveClient implements AutoCloseable {
    private final URI endpoint;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Await.PATIENCE)
            .build();

    KeepAliveClient(OrreryServer server) {
        endpoint = server.http();
    }

    HttpResponse<String> post(String path, Map<String, String> headers, String body) throws IOException {
        return send("POST", path, headers, HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> get(String path, Map<String, String> headers) throws IOException {
        return send("GET", path, headers, HttpRequest.BodyPublishers.noBody());
    }

    HttpResponse<String> delete(String path, Map<String, String> headers) throws IOException {
        return send("DELETE", path, headers, HttpRequest.BodyPublishers.noBody());
    }

    private HttpResponse<String> send(
            String method, String path, Map<String, String> headers, HttpRequest.BodyPublisher body)
            throws IOException {
        var date = Signature.date(Instant.now());
        var request = HttpRequest.newBuilder(endpoint.resolve(path))
                .method(method, body)
                .timeout(Await.PATIENCE)
                .header("x-ms-date", date)
                .header("authorization", Signature.ofNames(OrreryServer.WELL_KNOWN_KEY, method, path, date));
        headers.forEach(request::header);
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
