package dev.orrery.region;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks other regions of the account, as the faults of the links allow, and tells people when one does not want to answer. */
final class Questions {
    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

    /** A region that is there answers a greeting at once; one that is stopped never does. */
    private static final Duration GREETING_PATIENCE = Duration.ofSeconds(3);

    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final RegionSettings settings;
    private final Link link;
    private final Faults faults;
    private final LongSupplier nanos;
    private final Supplier<Charter> charter;
    private final Consumer<Charter> hear;
    private final Map<String, Long> toldNanos = new ConcurrentHashMap<>();
    private final Map<String, Charter> charters = new ConcurrentHashMap<>();

    /**
     * Asks in the name of a region.
     *
     * @param charter the one that every question carries
     * @param hear takes the one that an answer carries
     */
    Questions(RegionSettings settings, Surroundings around, Supplier<Charter> charter, Consumer<Charter> hear) {
        this.settings = settings;
        this.link = around.link();
        this.faults = around.faults();
        this.nanos = around.nanos();
        this.charter = charter;
        this.hear = hear;
    }

    /** Asks, and waits for as long as the link does. */
    Message ask(Member to, Message question) {
        return waited(to, send(to, question));
    }

    /** Asks, and waits until something else happens: that makes the answer worthless, and is thrown. */
    Message ask(Member to, Message question, CompletableFuture<Message> unless) {
        return waited(to, send(to, question).applyToEither(unless, answer -> answer));
    }

    /** Asks all of them who writes, and waits for those who are there. */
    void greet(List<Member> members) {
        var asked = members.stream()
                .map(member -> send(member, new Message.Greeting())
                        .orTimeout(GREETING_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .handle((answer, problem) -> {
                            if (problem != null) {
                                tell(member, problem);
                            }
                            return answer;
                        }))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(asked).join();
    }

    /**
     * The version of the last charter that a region has told, if it says that that region takes the writes and they wait for
     * this one; else 0.
     */
    long countingCharter(Member other) {
        var told = charters.get(other.name());
        boolean isCounting = told != null
                && told.writeRegion().equals(other.name())
                && told.strongSet().contains(settings.me());
        return isCounting ? told.version() : 0;
    }

    /** Asks, and waits for nothing. */
    CompletableFuture<Message> send(Member to, Message question) {
        var mine = new Envelope(settings.account(), settings.me(), charter.get(), question);
        return faults.through(to.name(), () -> link.send(to, mine.encode()))
                .thenApply(answer -> {
                    var theirs = Envelope.decode(answer);
                    demandAccount(theirs);
                    charters.merge(
                            theirs.sender(), theirs.charter(), (before, now) -> now.isLaterThan(before) ? now : before);
                    hear.accept(theirs.charter());
                    return theirs.message();
                })
                .toCompletableFuture();
    }

    private Message waited(Member to, CompletableFuture<Message> answer) {
        try {
            return answer.join();
        } catch (CompletionException problem) {
            tell(to, problem);
            throw problem;
        }
    }

    /** Refuses what comes from a region of another account. */
    void demandAccount(Envelope other) {
        if (!other.account().equals(settings.account())) {
            throw new Envelope.UnreadableException("The region " + other.sender() + " belongs to the account '"
                    + other.account() + "', not to '" + settings.account() + "'.");
        }
    }

    /** Why something failed, in words. */
    static String reason(Throwable problem) {
        var cause = cause(problem);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
    }

    private void tell(Member to, Throwable problem) {
        var cause = cause(problem);
        boolean isAway = cause instanceof IOException
                || cause instanceof TimeoutException
                || cause instanceof Faults.CutException
                || cause instanceof MovedException;
        if (isAway) {
            LOG.debug("{} does not answer", to.name(), cause);
        } else {
            warn(to.name() + " refuses to speak with this region: " + cause.getMessage());
        }
    }

    /** Says something that people should know, but not again and again: what is refused is asked again all the time. */
    void warn(String message) {
        long now = nanos.getAsLong();
        var before = toldNanos.get(message);
        if (before == null || now - before > REMINDER_NANOS) {
            toldNanos.put(message, now);
            LOG.warn("{}", message);
        }
    }

    /** The account has changed while an answer was awaited. */
    static final class MovedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MovedException() {
            super("the account has changed meanwhile");
        }
    }
}
