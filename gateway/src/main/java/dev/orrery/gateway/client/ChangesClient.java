package dev.orrery.gateway.client;

import dev.orrery.gateway.http.HeaderJson;
import dev.orrery.model.json.JsonValue.Arr;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Has a server send what changes in a container. */
public final class ChangesClient {
    /**
     * What to be sent.
     *
     * @param from {@code beginning}, {@code now} or a time; absent for what the server does by itself
     * @param mode {@code latest} or {@code all-versions}
     * @param previous whether the version before each change is wanted as well
     * @param partitionKey the components of the only partition key that is of interest
     * @param follow whether to wait for more when everything has been sent
     */
    public record Question(
            String database,
            String container,
            Optional<String> from,
            String mode,
            boolean previous,
            Optional<Arr> partitionKey,
            boolean follow) {}

    public sealed interface Reply {
        /** Whole commits, each change a line of JSON, and the place to go on from after them. */
        record Changes(List<String> changes, String place) implements Reply {
            public Changes {
                changes = List.copyOf(changes);
            }
        }

        /** There is nothing behind this one. */
        record Refused(int status, String message) implements Reply {}
    }

    private final AccountClient account;
    private final Question question;
    private final LongSupplier nanoTime;

    public ChangesClient(AccountClient account, Question question, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.account = account;
        this.question = question;
    }

    /**
     * Begins to be sent changes.
     *
     * @param after where an earlier stream ended, instead of where the question says
     */
    public Stream open(Optional<String> after) throws IOException, InterruptedException {
        var headers = after.map(place -> Map.of("last-event-id", place)).orElse(Map.of());
        var link = "dbs/" + question.database() + "/colls/" + question.container();
        var reply = account.open(link, "changes", "docs", query(), headers);
        return new Stream(reply.statusCode(), reply.body(), nanoTime);
    }

    private String query() {
        var parts = new ArrayList<>(List.of("mode=" + encoded(question.mode()), "follow=" + question.follow()));
        question.from().ifPresent(from -> parts.add("from=" + encoded(from)));
        question.partitionKey().ifPresent(key -> parts.add("partitionKey=" + encoded(HeaderJson.text(key))));
        if (question.previous()) {
            parts.add("previous=true");
        }
        return String.join("&", parts);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** What a server sends, as it comes. */
    public static final class Stream implements AutoCloseable {
        private final int status;
        private final InputStream in;
        private final BufferedReader lines;
        private final LongSupplier nanoTime;
        private volatile long waitingSinceNanos;
        private volatile boolean waiting;

        // One event, and the changes since the last place.
        private final List<String> changes = new ArrayList<>();
        private Optional<String> place = Optional.empty();
        private String event = "";
        private String data = "";

        Stream(int status, InputStream in, LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.status = status;
            this.in = in;
            this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        /** Waits for the next commits; nothing at the end. A connection that breaks leaves no half of a commit behind. */
        public Optional<Reply> next() throws IOException {
            if (status != 200) {
                return Optional.of(new Reply.Refused(status, ReplyMessage.of(in.readAllBytes())));
            }
            for (var line = line(); line != null; line = line()) {
                if (!line.isEmpty()) {
                    field(line);
                    continue;
                }
                if (event.equals("error")) {
                    return Optional.of(
                            new Reply.Refused(status, ReplyMessage.of(data.getBytes(StandardCharsets.UTF_8))));
                }
                var reply = endOfEvent();
                if (reply.isPresent()) {
                    return reply;
                }
            }
            return Optional.empty();
        }

        private String line() throws IOException {
            waitingSinceNanos = nanoTime.getAsLong();
            waiting = true;
            try {
                return lines.readLine();
            } finally {
                waiting = false;
            }
        }

        /** For how long a {@link #next} on another thread has been waiting for a word of the server. */
        public Duration silence() {
            return waiting ? Duration.ofNanos(nanoTime.getAsLong() - waitingSinceNanos) : Duration.ZERO;
        }

        private void field(String line) {
            int colon = line.indexOf(':');
            var name = colon < 0 ? line : line.substring(0, colon);
            var value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
            switch (name) {
                case "id" -> place = Optional.of(value);
                case "event" -> event = value;
                case "data" -> data = value; // The server sends each change on one line.
                default -> {} // Comments, and whatever later servers may add.
            }
        }

        private Optional<Reply> endOfEvent() {
            if (!data.isEmpty()) {
                changes.add(data);
            }
            event = "";
            data = "";
            var reply = place.map(reached -> (Reply) new Reply.Changes(changes, reached));
            if (reply.isPresent()) {
                changes.clear();
                place = Optional.empty();
            }
            return reply;
        }

        /** Also ends a {@link #next} that waits on another thread. */
        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
