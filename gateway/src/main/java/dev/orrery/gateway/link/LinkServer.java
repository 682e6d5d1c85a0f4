package dev.orrery.gateway.link;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes questions of other regions, if they are signed with the account's key, and signs the answers. */
public final class LinkServer {
    /** Where regions ask each other. */
    public static final String PATH = "/_orrery/link";

    static final String SIGNATURE = "x-orrery-signature";
    static final String TIME = "x-orrery-time";
    static final String QUESTION = "question";
    static final String ANSWER = "answer";

    private static final Logger LOG = LoggerFactory.getLogger(LinkServer.class);
    private static final int SKEW_SECONDS_MAX = 300;
    private static final int REMINDER_SECONDS = 60;

    private final Supplier<List<LinkKey>> keys;
    private final InstantSource clock;
    private final Function<byte[], CompletionStage<byte[]>> answering;
    private final LinkTraffic traffic;
    private final AtomicLong toldSecond = new AtomicLong();

    /**
     * Serves a region.
     *
     * @param keys those of the account's keys, the one to sign with first
     */
    public LinkServer(
            Supplier<List<LinkKey>> keys,
            InstantSource clock,
            LinkTraffic traffic,
            Function<byte[], CompletionStage<byte[]>> answering) {
        this.traffic = traffic;
        this.keys = keys;
        this.clock = clock;
        this.answering = answering;
    }

    /** Answers one question. */
    public CompletionStage<HttpReply> serve(HttpRequest request) {
        var key = demandSigned(request);
        traffic.receive(request.body());
        return answering.apply(request.body()).thenApply(answer -> {
            long now = clock.instant().getEpochSecond();
            traffic.send(answer);
            return HttpReply.status(200)
                    .header("content-type", "application/octet-stream")
                    .header(TIME, Long.toString(now))
                    .header(SIGNATURE, key.sign(ANSWER, now, answer))
                    .body(answer)
                    .build();
        });
    }

    private LinkKey demandSigned(HttpRequest request) {
        var signature = request.header(SIGNATURE).orElse("");
        long second = second(request.header(TIME).orElse(""));
        long now = clock.instant().getEpochSecond();
        if (Math.abs(now - second) > SKEW_SECONDS_MAX) {
            throw refusal("The clocks of the two regions are " + Math.abs(now - second) + " seconds apart; more than "
                    + SKEW_SECONDS_MAX + " are not accepted. Set them by a time server.");
        }
        return keys.get().stream()
                .filter(key -> key.isSigned(signature, QUESTION, second, request.body()))
                .findFirst()
                .orElseThrow(() -> refusal(
                        "The question is not signed with a key of this account. All regions of an account need the same"
                                + " --key."));
    }

    /** Told to the one who asks, and to people here, though not every time: it will be asked again and again. */
    private FailureException refusal(String reason) {
        long now = clock.instant().getEpochSecond();
        long told = toldSecond.get();
        if (now - told >= REMINDER_SECONDS && toldSecond.compareAndSet(told, now)) {
            LOG.warn("A question of another region was refused: {}", reason);
        }
        return new FailureException(new Failure.Unauthorized(reason));
    }

    private static long second(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
