package dev.orrery.region;

import dev.orrery.engine.hub.Offer;
import dev.orrery.engine.hub.Settled;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.Replica;
import dev.orrery.region.Surroundings.Writing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what clients have written in this region to the hub, and settles there what others bring. In an account that one
 * region writes to there is nothing to do.
 */
final class Offering {
    private static final Logger LOG = LoggerFactory.getLogger(Offering.class);

    private static final int LOOK_MILLIS = 100;
    private static final int RETRY_MILLIS = 200;

    private final RegionSettings settings;
    private final Optional<Writing> writing;
    private final Questions questions;
    private final Supplier<Charter> charter;
    private final BooleanSupplier isLeased;
    private final Replica replica;
    private final Followers followers;
    private final Executor workers;
    private final Executor threads;
    private final BlockingQueue<Boolean> turns = new ArrayBlockingQueue<>(1);
    private volatile CompletableFuture<Message> moved = new CompletableFuture<>();
    private volatile boolean closed;
    // Only the thread that offers touches this.
    private long epoch;

    Offering(
            RegionSettings settings,
            Surroundings around,
            Questions questions,
            Supplier<Charter> charter,
            BooleanSupplier isLeased,
            Replica replica,
            Followers followers) {
        this.settings = settings;
        this.writing = around.writing();
        this.questions = questions;
        this.charter = charter;
        this.isLeased = isLeased;
        this.replica = replica;
        this.followers = followers;
        this.workers = around.workers();
        this.threads = around.threads();
    }

    /** Begins to let clients write here, now that this region has all that the others had. */
    void begin() {
        writing.ifPresent(mine -> {
            mine.fronts().start(this::isKnownElsewhere, () -> turns.offer(Boolean.TRUE));
            mine.fronts().grant();
            threads.execute(() -> run(mine));
        });
    }

    /** Lets clients write here no longer. */
    void end(String reason) {
        writing.ifPresent(mine -> mine.fronts().withdraw(reason));
    }

    /** Another region may be the hub: an answer that is awaited may never come. */
    void move() {
        var over = moved;
        moved = new CompletableFuture<>();
        over.completeExceptionally(new Questions.MovedException());
    }

    void close() {
        closed = true;
        writing.ifPresent(mine -> mine.fronts().close());
        move();
    }

    private void run(Writing mine) {
        while (!closed) {
            try {
                takeTurn(mine);
            } catch (RuntimeException problem) {
                LOG.debug("What was written here could not be settled", problem);
                rest(RETRY_MILLIS);
            }
        }
    }

    private void takeTurn(Writing mine) {
        var unless = moved;
        var now = charter.get();
        if (now.epoch() != epoch) {
            mine.fronts().offerAnew();
            epoch = now.epoch();
        }
        var offers = mine.fronts().offers();
        if (offers.isEmpty()) {
            rest(LOOK_MILLIS);
            if (mine.fronts().pending() > 0) {
                mine.fronts().wakeAll();
            }
        } else if (now.writeRegion().equals(settings.me())) {
            if (replica.takesWrites()) {
                hear(mine, offers, settle(mine, settings.me(), offers));
            } else {
                rest(RETRY_MILLIS);
            }
        } else if (questions.ask(now.writer(), new Message.Offers(offers), unless)
                instanceof Message.Settlements(var settled)) {
            hear(mine, offers, settled);
        } else {
            rest(RETRY_MILLIS); // It has just ceased to be the hub, or is not yet.
        }
    }

    private void hear(Writing mine, List<Offer> offers, List<Settled> settled) {
        mine.fronts().hear(offers, settled);
        if (settled.isEmpty()) {
            rest(RETRY_MILLIS); // The hub says in its log what it is waiting for.
        }
    }

    private void rest(int millis) {
        try {
            turns.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ending) {
            closed = true;
        }
    }

    /** Answers a region that wants its writes settled. */
    CompletionStage<Message> answer(String region, Message.Offers offers) {
        if (writing.isEmpty() || !replica.takesWrites()) {
            return CompletableFuture.completedStage(new Message.Refusal(
                    "this region settles nothing; " + charter.get().writeRegion() + " does"));
        }
        return CompletableFuture.supplyAsync(
                () -> new Message.Settlements(settle(writing.get(), region, offers.offers())), workers);
    }

    private List<Settled> settle(Writing mine, String region, List<Offer> offers) {
        int slot = WriterSlot.of(charter.get().find(region).orElseThrow().number());
        var all = new ArrayList<Settled>();
        for (var offer : offers) {
            mine.hub().settle(slot, region, offer).ifPresent(all::add);
        }
        return all;
    }

    /** What a region that follows has, it has from the hub; the hub itself must have told somebody who is there. */
    private boolean isKnownElsewhere(RangeId range, long lsn) {
        var now = charter.get();
        if (!now.writeRegion().equals(settings.me())) {
            return true;
        }
        if (!replica.takesWrites() || !isLeased.getAsBoolean()) {
            return false; // Another may be the hub by now, and lack it.
        }
        var inTouch = now.members().stream()
                .map(Member::name)
                .filter(name -> !name.equals(settings.me()))
                .filter(name ->
                        followers.silentNanos(name) < settings.patience().toNanos())
                .toList();
        return inTouch.isEmpty() || inTouch.stream().anyMatch(name -> followers.lsn(name, range) >= lsn);
    }

    /** What of the changes that are given up here nobody offers again. */
    List<LostChange> lost(List<LostChange> changes) {
        return writing.isEmpty()
                ? changes
                : changes.stream()
                        .filter(change -> change.entry()
                                .origin()
                                .filter(origin -> !writing.get().fronts().willBeOfferedAgain(change.range(), origin))
                                .isPresent())
                        .toList();
    }
}
