package dev.orrery.region;

import dev.orrery.engine.hub.Fronts;
import dev.orrery.engine.replica.Replica;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.region.Surroundings.Writing;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts regions in and out, and lets none leave with acknowledged writes that nobody else has. */
final class Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private static final int LOOK_AGAIN_MILLIS = 5;

    /** Less than the time after which a question counts as not answered. */
    private static final int SETTLE_SECONDS = 15;

    private static final int HEAR_SECONDS = 30;

    private final RegionSettings settings;
    private final Council council;
    private final Supplier<Charter> charter;
    private final Questions questions;
    private final Replica replica;
    private final Optional<Writing> writing;
    private final ScheduledExecutorService timer;
    private final Executor workers;
    private final LongSupplier nanos;

    Membership(
            RegionSettings settings,
            Council council,
            Supplier<Charter> charter,
            Questions questions,
            Replica replica,
            Surroundings around) {
        this.settings = settings;
        this.council = council;
        this.charter = charter;
        this.questions = questions;
        this.replica = replica;
        this.writing = around.writing();
        this.timer = around.timer();
        this.workers = around.workers();
        this.nanos = around.nanos();
    }

    /** A member that somebody names. */
    static Member demand(Charter charter, String name) {
        return charter.find(name)
                .orElseThrow(() -> bad("'" + name + "' is no region of this account. Its regions are "
                        + charter.members().stream().map(Member::name).collect(Collectors.joining(", ")) + "."));
    }

    /** Counts one more region in. */
    CompletionStage<Charter> add(String name, String endpoint, String address, boolean isWitness) {
        var now = charter.get();
        if (now.find(name).isPresent()) {
            throw bad("'" + name + "' is a region of this account already.");
        }
        if (now.isFull()) {
            throw bad("There is no room for one more region in this account.");
        }
        return amend(
                now,
                now.with(new Member(name, 0, endpoint, address, isWitness)),
                new Message.Join(name, endpoint, address, isWitness));
    }

    /**
     * Counts a region out.
     *
     * @param isLost whether to do so although nobody can say which of its writes only it has
     */
    CompletionStage<Charter> remove(String name, boolean isLost) {
        var now = charter.get();
        var member = demand(now, name);
        if (now.writeRegion().equals(name)) {
            throw bad("'" + name + "' takes the writes: move them first, with 'orrery failover --to REGION'.");
        }
        boolean mayHaveWritten = now.isMultiWrite() && !member.isWitness() && !isLost;
        return (mayHaveWritten ? settled(member) : CompletableFuture.<Void>completedStage(null)).thenCompose(_ -> {
            var then = charter.get();
            return amend(then, then.without(name), new Message.Leave(name));
        });
    }

    /** Kept when a region that is about to leave has had everything settled that it has acknowledged. */
    private CompletionStage<Void> settled(Member leaving) {
        if (leaving.name().equals(settings.me())) {
            return settle();
        }
        return questions.send(leaving, new Message.Leave(leaving.name())).handle((answer, _) -> switch (answer) {
            case Message.Done _ -> null;
            case Message.Refusal(var reason) -> throw bad(reason);
            case null, default ->
                throw bad("'" + leaving.name() + "' does not answer, so nobody can say which of the writes that it has"
                        + " acknowledged are settled. Bring it back first, or count it out with"
                        + " --force if it is lost: what only it has is lost then, too.");
        });
    }

    /** Answers whoever wants to count a region out: the region itself settles what it has, the write region does it. */
    CompletionStage<Message> leave(String name) {
        return (name.equals(settings.me()) ? settle() : remove(name, true)).thenApply(_ -> new Message.Done());
    }

    /** Takes no more writes of clients, and waits until those that were taken are settled and known elsewhere. */
    private CompletionStage<Void> settle() {
        if (writing.isEmpty() || charter.get().writeRegion().equals(settings.me())) {
            throw bad("'" + settings.me() + "' cannot leave now: it takes the writes that others follow.");
        }
        var fronts = writing.get().fronts();
        fronts.withdraw("This region is about to be removed from its account.");
        return CompletableFuture.runAsync(replica::drain, workers)
                .thenCompose(_ -> until(SETTLE_SECONDS, () -> fronts.pending() == 0))
                .thenAccept(isSettled -> {
                    if (!isSettled) {
                        fronts.grant();
                        throw bad(fronts.pending() + " writes of '" + settings.me() + "' are not settled yet, and "
                                + charter.get().writeRegion() + " may be out of its reach. Try again when it is not,"
                                + " or use --force to lose them.");
                    }
                    stayUnlessCountedOut(fronts);
                });
    }

    private void stayUnlessCountedOut(Fronts fronts) {
        var _ = timer.schedule(
                () -> {
                    if (charter.get().find(settings.me()).isPresent()) {
                        fronts.grant();
                    }
                },
                HEAR_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Says what stays behind in a region that was counted out. */
    void tellWhatIsLeft() {
        long left = writing.map(mine -> mine.fronts().pending()).orElse(0L);
        if (left > 0) {
            LOG.warn("{} writes that this region has acknowledged were never settled: no other region has them", left);
        }
    }

    /** Only the write region changes who belongs to the account, so that no two do it at once. */
    private CompletionStage<Charter> amend(Charter now, Charter next, Message request) {
        return now.writeRegion().equals(settings.me())
                ? council.change(next)
                : asked(now.writer(), request, then -> then.version() >= next.version());
    }

    /** Has another region do something, and waits until its consequence is known here. */
    CompletionStage<Charter> asked(Member writer, Message request, Predicate<Charter> consequence) {
        return CompletableFuture.supplyAsync(() -> switch (questions.ask(writer, request)) {
                    case Message.Done _ -> true;
                    case Message.Refusal(var reason) -> throw bad(reason);
                    default -> throw bad(writer.name() + " did not understand.");
                })
                // The council tells everyone, one a little later than the other.
                .thenCompose(_ -> until(HEAR_SECONDS, () -> consequence.test(charter.get())))
                .thenApply(_ -> charter.get());
    }

    /** Whether something has come about within some time; told as soon as it has. */
    private CompletionStage<Boolean> until(int seconds, BooleanSupplier condition) {
        var result = new CompletableFuture<Boolean>();
        look(nanos.getAsLong() + TimeUnit.SECONDS.toNanos(seconds), condition, result);
        return result;
    }

    private void look(long endNanos, BooleanSupplier condition, CompletableFuture<Boolean> result) {
        try {
            if (condition.getAsBoolean()) {
                result.complete(true);
            } else if (nanos.getAsLong() - endNanos > 0) {
                result.complete(false);
            } else {
                var _ = timer.schedule(
                        () -> workers.execute(() -> look(endNanos, condition, result)),
                        LOOK_AGAIN_MILLIS,
                        TimeUnit.MILLISECONDS);
            }
        } catch (RuntimeException problem) {
            result.completeExceptionally(problem);
        }
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
