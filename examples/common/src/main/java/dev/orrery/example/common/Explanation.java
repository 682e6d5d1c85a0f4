package dev.orrery.example.common;

import com.azure.cosmos.CosmosException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Says in one sentence what went wrong, where it is something that happens; what must not happen keeps its stack trace. */
public final class Explanation {
    private static final int CHARACTERS_MAX = 300;

    private Explanation() {}

    public static Optional<String> of(Throwable problem) {
        var stopped = find(problem, DemoException.class).map(DemoException::getMessage);
        if (stopped.isPresent()) {
            return stopped;
        }
        var refused = find(problem, CosmosException.class);
        if (find(problem, TimeoutException.class).isPresent()
                || (refused.isPresent() && find(problem, IOException.class).isPresent())) {
            return Optional.of("The server does not answer any more.");
        }
        return refused.map(Explanation::answer);
    }

    private static String answer(CosmosException refused) {
        if (refused.getStatusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return "The server does not accept the key.";
        }
        // What comes after the first line is for those who look into the SDK.
        var words = Objects.requireNonNullElse(refused.getShortMessage(), "")
                .lines()
                .findFirst()
                .orElse("");
        return "The server answered with status %d: %s"
                .formatted(refused.getStatusCode(), words.substring(0, Math.min(words.length(), CHARACTERS_MAX)));
    }

    /** The first of a kind among a problem and its causes. */
    static <T extends Throwable> Optional<T> find(Throwable problem, Class<T> kind) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst();
    }
}
