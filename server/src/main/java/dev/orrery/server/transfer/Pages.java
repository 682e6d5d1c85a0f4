package dev.orrery.server.transfer;

import dev.orrery.gateway.client.QueryClient;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.gateway.client.QueryClient.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The pages of a query, the next of which is fetched while the last is being looked at. */
final class Pages {
    private static final int ROWS_MAX = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS_FIRST = 50;
    private static final long PAUSE_MILLIS_MAX = 2_000;

    private final QueryClient client;
    private final Question question;
    private Optional<FutureTask<Reply>> coming;

    Pages(QueryClient client, Question question) {
        this.client = client;
        this.question = question;
        this.coming = Optional.of(fetch(Optional.empty()));
    }

    /** Nothing behind the last page; a refusal is the last one as well. */
    Optional<Reply> next() throws IOException, InterruptedException {
        if (coming.isEmpty()) {
            return Optional.empty();
        }
        try {
            var reply = coming.get().get();
            coming = reply instanceof Reply.Page page && page.continuation().isPresent()
                    ? Optional.of(fetch(page.continuation()))
                    : Optional.empty();
            return Optional.of(reply);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unanswered) {
                throw unanswered;
            }
            throw new IllegalStateException("A page could not be fetched", failed);
        }
    }

    private FutureTask<Reply> fetch(Optional<String> continuation) {
        var task = new FutureTask<>(() -> ask(continuation));
        Thread.ofVirtual().name("export").start(task);
        return task;
    }

    /** Asks again when the server is busy or away: a page may be asked for any number of times. */
    private Reply ask(Optional<String> continuation) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long pause = PAUSE_MILLIS_FIRST;
        while (true) {
            boolean patient = System.nanoTime() - begin < PATIENCE.toNanos();
            try {
                var reply = client.ask(question, ROWS_MAX, continuation);
                boolean passing = reply instanceof Reply.Refused refused
                        && (refused.status() == 429 || (refused.status() >= 500 && patient));
                if (!passing) {
                    return reply;
                }
            } catch (IOException unanswered) {
                if (!patient || continuation.isEmpty()) {
                    throw unanswered;
                }
            }
            Thread.sleep(pause);
            pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
        }
    }
}
