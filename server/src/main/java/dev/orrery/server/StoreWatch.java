package dev.orrery.server;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.store.Condition;
import dev.orrery.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells how the store is doing: those who ask for readiness and health, and the log when it changes. */
final class StoreWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);

    /** How often it looks for changes. */
    static final long LOOK_MILLIS = 500;

    private final Store store;
    private boolean stopped;
    private boolean warned;

    StoreWatch(Store store) {
        this.store = store;
    }

    /** Writes into the log what has changed since the last time. */
    synchronized void look() {
        var condition = store.condition();
        if (condition.stopped().isPresent() && !stopped) {
            LOG.error("{}.", condition.stopped().get());
        } else if (condition.stopped().isEmpty() && stopped) {
            LOG.info("Writes are taken again");
        }
        if (condition.warning().isPresent() && !warned) {
            LOG.warn("{}.", condition.warning().get());
        }
        stopped = condition.stopped().isPresent();
        warned = condition.warning().isPresent();
    }

    /** Whether all requests can be served; the body says why not. */
    HttpReply ready() {
        return store.condition()
                .stopped()
                .map(reason -> text(503, "not ready: " + reason + "."))
                .orElseGet(() -> text(200, "ready"));
    }

    /** Alive it is, or nobody would answer: the body says how well. */
    HttpReply health() {
        return text(200, health(store.condition()));
    }

    private static String health(Condition condition) {
        Optional<String> degraded = condition.stopped().map(reason -> "degraded: " + reason + ".");
        return degraded.or(() -> condition.warning().map(reason -> "healthy, but: " + reason + "."))
                .orElse("healthy");
    }

    private static HttpReply text(int status, String body) {
        return HttpReply.status(status)
                .header("content-type", "text/plain")
                .body((body + "\n").getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
