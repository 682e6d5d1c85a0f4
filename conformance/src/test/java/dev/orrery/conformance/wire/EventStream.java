package dev.orrery.conformance.wire;

import dev.orrery.conformance.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A stream of server-sent events, read with nothing but the JDK and the rules of the HTML standard. */
public final class EventStream implements AutoCloseable {
    /**
     * One event.
     *
     * @param lastId what a client that is cut off behind it sends to go on
     * @param placed whether it brought that id itself
     */
    public record Event(String type, String data, String lastId, boolean placed) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;
    private String lastId = "";

    private EventStream(HttpRequest request) throws IOException, InterruptedException {
        response = client.send(request, BodyHandlers.ofInputStream());
        lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** Opens the stream of a container. */
    public static EventStream open(URI server, String key, String path, Optional<String> lastId)
            throws IOException, InterruptedException {
        var date = Signature.date(Instant.now());
        var request = HttpRequest.newBuilder(server.resolve(path))
                .header("authorization", Signature.ofNames(key, "GET", path, date))
                .header("x-ms-date", date);
        lastId.ifPresent(id -> request.header("last-event-id", id));
        return new EventStream(request.build());
    }

    public int status() {
        return response.statusCode();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    /** Everything, of a reply that has an end. */
    public String body() throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    public String lastId() {
        return lastId;
    }

    /** The next event, or nothing at the end of the stream. Waits no longer than a test may. */
    public Optional<Event> next() throws IOException, InterruptedException {
        var reading = new FutureTask<>(this::read);
        Thread.ofVirtual().start(reading);
        try {
            return reading.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException broken ? broken : new IOException(failed.getCause());
        } catch (TimeoutException late) {
            throw new AssertionError("no event came", late);
        }
    }

    public List<Event> next(int count) throws IOException, InterruptedException {
        var events = new ArrayList<Event>();
        while (events.size() < count) {
            events.add(next().orElseThrow());
        }
        return events;
    }

    private Optional<Event> read() throws IOException {
        var type = "message";
        var placed = false;
        var data = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    return Optional.of(new Event(type, data.substring(0, data.length() - 1), lastId, placed));
                }
                type = "message";
                placed = false;
            } else if (line.startsWith("id: ")) {
                lastId = line.substring("id: ".length());
                placed = true;
            } else if (line.startsWith("event: ")) {
                type = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                data.append(line.substring("data: ".length())).append('\n');
            } else if (!line.startsWith(":")) {
                throw new IOException("not a line of an event: " + line);
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        response.body().close();
        client.close();
    }
}
