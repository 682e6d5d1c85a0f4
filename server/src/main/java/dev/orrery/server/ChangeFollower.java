package dev.orrery.server;

import dev.orrery.gateway.client.ChangesClient;
import dev.orrery.gateway.client.ChangesClient.Question;
import dev.orrery.gateway.client.ChangesClient.Reply;
import dev.orrery.gateway.client.ChangesClient.Stream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Takes changes from a server and hands them on, over as many connections as that needs. */
final class ChangeFollower {
    private static final long PAUSE_MILLIS_FIRST = 100;
    private static final long PAUSE_MILLIS_MAX = 5_000;
    /** A server says every fifteen seconds that it is there. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    private static final Duration SILENCE_CHECK = Duration.ofSeconds(5);

    private final ChangesClient client;
    private final Question question;
    private final ChangeLines lines;
    private final Consumer<String> notices;
    private Optional<String> place = Optional.empty();
    private long pauseMillis = PAUSE_MILLIS_FIRST;
    private boolean away;

    ChangeFollower(ChangesClient client, Question question, ChangeLines lines, Consumer<String> notices) {
        this.client = client;
        this.question = question;
        this.lines = lines;
        this.notices = notices;
    }

    /** Returns when there are no more changes, or no more are wanted. */
    void run() throws IOException, InterruptedException {
        while (true) {
            try (var stream = client.open(place)) {
                if (follow(stream) || !question.follow()) {
                    return;
                }
            } catch (IOException broken) {
                if (place.isEmpty()) {
                    throw broken;
                }
                if (!question.follow()) {
                    throw new UserError("The server went away before the last change: " + broken.getMessage(), broken);
                }
            }
            pause();
        }
    }

    private void pause() throws InterruptedException {
        if (!away && pauseMillis > PAUSE_MILLIS_FIRST) {
            away = true;
            notices.accept("orrery: The server does not answer; waiting for it to come back.");
        }
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
    }

    /** True when no more are wanted; false when the stream is over. */
    private boolean follow(Stream stream) throws IOException {
        var watchdog = Thread.ofVirtual().name("silence").start(() -> closeWhenSilent(stream));
        try {
            for (var reply = stream.next(); reply.isPresent(); reply = stream.next()) {
                switch (reply.get()) {
                    case Reply.Changes(var changes, var reached) -> {
                        back();
                        place = Optional.of(reached);
                        if (!lines.print(changes)) {
                            return true;
                        }
                    }
                    case Reply.Refused(int status, String message) -> {
                        if (!isPassing(status)) {
                            throw refusal(status, message);
                        }
                        return false;
                    }
                }
            }
            return false;
        } finally {
            watchdog.interrupt();
        }
    }

    private void back() {
        pauseMillis = PAUSE_MILLIS_FIRST;
        if (away) {
            away = false;
            notices.accept("orrery: The server is back.");
        }
    }

    /** A server that is busy or about to stop is asked again, by those who had been let in before. */
    private boolean isPassing(int status) {
        return question.follow() && place.isPresent() && (status == 429 || status == 503);
    }

    private UserError refusal(int status, String message) {
        return new UserError(
                status == 200
                        ? message
                        : QueryRefusal.text(question.database(), question.container(), status, message));
    }

    /** A machine that vanished from the network says nothing, not even that the connection is over. */
    private static void closeWhenSilent(Stream stream) {
        try {
            while (stream.silence().compareTo(SILENCE_MAX) < 0) {
                Thread.sleep(SILENCE_CHECK);
            }
            stream.close();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // Whoever reads from it is told the same.
        }
    }
}
