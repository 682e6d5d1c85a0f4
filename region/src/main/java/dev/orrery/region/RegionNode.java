package dev.orrery.region;

import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import dev.orrery.engine.replica.Replica;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.region.Message.Position;
import dev.orrery.region.RegionStatus.Failover;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This region among those of its account: it takes the writes, or follows the one that does. */
public final class RegionNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegionNode.class);

    private static final int PULL_WAIT_MILLIS = 1_000;
    private static final int RETRY_MILLIS = 200;
    private static final int LOOK_MILLIS = 100;
    private static final int HANDOVER_SECONDS = 30;
    private static final int CATALOG_PATIENCE_SECONDS = 3;
    private static final int LOST_AT_ONCE = 500;
    private static final int FIRST_EPOCH = 1;

    /** Whoever has heard nothing for so long cannot tell when another region took over. */
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final RegionSettings settings;
    private final Council council;
    private final Replica replica;
    private final Questions questions;
    private final Faults faults;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final ScheduledExecutorService timer;
    private final Runnable joined;
    private final Followers followers;
    private final Survivors survivors;
    private final Membership membership;
    private final Offering offering;
    private final Stability stability = new Stability();
    private final Map<RangeId, Long> lagging = new ConcurrentHashMap<>();
    private final Past.Diary diary;
    private final AtomicLong lostChanges = new AtomicLong();
    private final BlockingQueue<Boolean> turns = new ArrayBlockingQueue<>(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean handingOver;
    private volatile boolean closed;
    private volatile boolean caughtUp;
    private volatile boolean joining;
    private volatile Optional<Long> touchedNanos = Optional.empty();
    /** When it was asked last what was told so that nothing was missing. */
    private volatile Optional<Long> levelNanos = Optional.empty();

    private final Assurance assurance;
    private final StrongSet strongSet;
    private volatile Charter heard;
    private volatile String followed = "";
    private volatile CompletableFuture<Message> moved = new CompletableFuture<>();
    /** Kept when this region has begun to take the writes. */
    private volatile CompletableFuture<Void> leading = new CompletableFuture<>();

    private volatile Optional<Failover> lastFailover;
    private volatile long epochKnown;
    // Only the thread that runs the region touches these.
    private final Map<RangeId, Position> told = new HashMap<>();
    private long session;
    private String source = "";
    private Past written;
    private boolean removed;

    public RegionNode(RegionSettings settings, Council council, Replica replica, Surroundings around) {
        this.settings = settings;
        this.council = council;
        this.replica = replica;
        this.questions = new Questions(settings, around, this::charter, this::hear);
        this.faults = around.faults();
        this.clock = around.clock();
        this.nanos = around.nanos();
        this.random = around.random();
        this.timer = around.timer();
        this.diary = around.diary();
        this.written = diary.read();
        this.lastFailover = written.lastFailover();
        this.lostChanges.set(written.lostChanges());
        this.joining = around.joined().isPresent();
        this.joined = around.joined().orElse(() -> {});
        this.followers = new Followers(replica, stability, around.timer(), around.workers(), nanos);
        this.membership = new Membership(settings, council, this::charter, questions, replica, around);
        this.survivors = new Survivors(replica, questions, random, settings.lease());
        this.assurance = new Assurance(nanos, settings.lease());
        this.strongSet = new StrongSet(
                nanos,
                settings.patience(),
                council.charter(),
                followers::silentNanos,
                name -> followers.isAbreast(name, settings.boundLsns()));
        this.offering = new Offering(settings, around, questions, this::charter, council::isLeased, replica, followers);
        stability.listen(followers::settled);
        // Nothing is written before it is certain who may.
        replica.stepDown("This region has not joined its account yet.");
        replica.watch(followers::changed);
        replica.watchCatalog(followers::answerAll);
        epochKnown = council.charter().epoch();
        council.watch(this::told);
        around.threads().execute(this::run);
        if (!joining) {
            offering.begin();
        }
    }

    /** What answers have to wait for. */
    public dev.orrery.engine.replica.Agreement agreement() {
        var milestones = new Milestones(nanos, settings.boundTime());
        return new Levels(settings.level(), settings.boundLsns(), milestones, stability, new Levels.Standing() {
            @Override
            public boolean isInTouch() {
                return RegionNode.this.isInTouch();
            }

            @Override
            public CompletionStage<Void> catalogKnown() {
                return RegionNode.this.catalogKnown();
            }

            @Override
            public boolean isJoining() {
                return joining;
            }
        });
    }

    /** The last charter that this region has heard of: another may tell it before the council does. */
    public Charter charter() {
        var known = council.charter();
        var told = heard;
        return told != null && told.isLaterThan(known) ? told : known;
    }

    private void hear(Charter told) {
        if (!council.adopt(told) && told.isLaterThan(charter())) {
            heard = told;
            move();
        }
    }

    // ---- taking turns ----

    private void told(Charter charter) {
        LOG.info(
                "Charter {}: epoch {}, {} takes the writes", charter.version(), charter.epoch(), charter.writeRegion());
        strongSet.told(charter);
        if (charter.epoch() > epochKnown) {
            epochKnown = charter.epoch();
            boolean isThere = handingOver
                    || charter.writeRegion().equals(settings.me())
                    || touchedNanos
                            .filter(since -> nanos.getAsLong() - since < AWAY_NANOS)
                            .isPresent();
            lastFailover = Optional.of(new Failover(
                    charter.epoch(),
                    charter.writeRegion(),
                    isThere ? Optional.of(clock.instant().getEpochSecond()) : Optional.empty()));
        }
        stability.measureAll(replica.ranges());
        move();
    }

    /** Whoever waits for the answer of a region looks again whether it is still the one to ask: it may never answer. */
    private void move() {
        if (!charter().writeRegion().equals(followed)) {
            var over = moved;
            moved = new CompletableFuture<>();
            over.completeExceptionally(new Questions.MovedException());
            offering.move();
        }
        wake();
    }

    private void wake() {
        boolean _ = turns.offer(Boolean.TRUE);
    }

    private void rest(int millis) {
        try {
            turns.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ending) {
            closed = true;
        }
    }

    private void run() {
        try {
            questions.greet(others()); // This one may have been away while another took over.
            while (!closed) {
                try {
                    takeTurn();
                } catch (RuntimeException problem) {
                    LOG.warn("Keeping in step with other regions failed: {}", Questions.reason(problem));
                    LOG.debug("Keeping in step failed", problem);
                    rest(RETRY_MILLIS);
                }
            }
        } finally {
            ended.complete(null);
        }
    }

    private void takeTurn() {
        var charter = charter();
        remember();
        if (charter.find(settings.me()).isEmpty()) {
            if (!removed) {
                removed = true;
                offering.end("This region was removed from its account.");
                replica.stepDown("This region was removed from its account. Writes go to " + charter.writeRegion()
                        + ", at " + charter.writer().endpoint() + ".");
                membership.tellWhatIsLeft();
            }
            rest(LOOK_MILLIS);
        } else if (!charter.writeRegion().equals(settings.me())) {
            if (leading.isDone()) {
                leading = new CompletableFuture<>();
            }
            if (replica.takesWrites() || source.isEmpty()) {
                replica.stepDown(elsewhere(charter));
                followers.forget();
                stability.measureBy(range -> 0);
                stability.restart();
            }
            follow(charter.writer());
        } else if (council.isLeased() && !handingOver) {
            if (!replica.takesWrites()) {
                lead(charter);
            }
            if (replica.takesWrites()) {
                keepStrongSet(charter);
                followers.note();
            }
            rest(LOOK_MILLIS);
        } else {
            if (replica.takesWrites() && !handingOver) {
                LOG.warn("This region has lost touch with most others and takes no writes meanwhile");
                replica.stepDown("This region has lost touch with most others, and takes no writes meanwhile.");
            }
            rest(LOOK_MILLIS);
        }
    }

    private void remember() {
        var past = new Past(lastFailover, lostChanges.get());
        if (!past.equals(written)) {
            diary.write(past);
            written = past;
        }
    }

    private static String elsewhere(Charter charter) {
        return "The requested operation cannot be performed at this region. Writes go to " + charter.writeRegion()
                + ", at " + charter.writer().endpoint() + ".";
    }

    private List<Member> others() {
        return charter().members().stream()
                .filter(member -> !member.name().equals(settings.me()) && !member.isWitness())
                .toList();
    }

    // ---- writing ----

    private void lead(Charter charter) {
        strongSet.told(charter); // This thread may have seen it first.
        // One that only had lost touch for a while has begun this epoch before.
        if (charter.epoch() > FIRST_EPOCH && replica.catalogVersion().epoch() < charter.epoch()) {
            lostChanges.addAndGet(survivors.catchUp(others(), strongSet.before(charter), () -> !isDue(charter)));
        }
        if (!isDue(charter)) {
            return;
        }
        source = "";
        lagging.clear();
        assurance.end();
        strongSet.begin(charter);
        stability.restart();
        stability.measureBy(this::slowest);
        replica.stepUp(charter.epoch());
        stability.measureAll(replica.ranges());
        caughtUp = true;
        hasJoined();
        LOG.info("{} takes the writes, in epoch {}", settings.me(), charter.epoch());
        leading.complete(null);
    }

    /** Whether this region is still to take the writes, as a charter says. */
    private boolean isDue(Charter charter) {
        return !closed && council.isLeased() && charter().epoch() == charter.epoch();
    }

    private long slowest(RangeId range) {
        long slowest = replica.has(range) ? replica.lsn(range) : 0;
        for (var name : mustHave()) {
            slowest = Math.min(slowest, followers.lsn(name, range));
        }
        return slowest;
    }

    /** The regions besides this one that no acknowledged write may be unknown to, or too far ahead of. */
    private Set<String> mustHave() {
        var names = new HashSet<>(charter().strongSet());
        names.remove(settings.me());
        return names;
    }

    /** Changes the charter when other regions are to count than do. */
    private void keepStrongSet(Charter charter) {
        if (settings.level().compareTo(ConsistencyLevel.BOUNDED_STALENESS) > 0) {
            return;
        }
        var wanted = strongSet.wanted(charter.strongSet(), others());
        wanted.add(settings.me());
        if (!wanted.equals(charter.strongSet())) {
            try {
                council.change(charter.withStrongSet(wanted))
                        .toCompletableFuture()
                        .join();
                LOG.info("Regions that every write waits for: {}", wanted);
            } catch (CompletionException refused) {
                LOG.warn("The regions that every write waits for could not be changed: {}", Questions.reason(refused));
            }
        }
    }

    private CompletionStage<Void> catalogKnown() {
        var version = replica.catalogVersion();
        var known = new CompletableFuture<Void>();
        lookForCatalog(version, known);
        return known.completeOnTimeout(null, CATALOG_PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void lookForCatalog(CatalogVersion version, CompletableFuture<Void> known) {
        boolean all = others().stream()
                .filter(member ->
                        followers.silentNanos(member.name()) < settings.lease().toNanos())
                .allMatch(member ->
                        followers.hasCatalog(member.name(), version) || !version.equals(replica.catalogVersion()));
        if (all) {
            known.complete(null);
        } else if (!known.isDone()) {
            var _ = timer.schedule(() -> lookForCatalog(version, known), 5, TimeUnit.MILLISECONDS);
        }
    }

    // ---- following ----

    private boolean isInTouch() {
        return replica.takesWrites()
                ? council.isLeased()
                : assurance.holds() && charter().strongSet().contains(settings.me());
    }

    private void follow(Member writer) {
        try {
            pull(writer);
        } catch (RuntimeException unreachable) {
            source = "";
            if (charter().writeRegion().equals(writer.name())) {
                questions.greet(others()); // Another may have taken over.
                rest(RETRY_MILLIS);
            }
        }
    }

    /** Asks once and stores the answer. */
    private void pull(Member from) {
        boolean first = !source.equals(from.name());
        if (first) {
            session = random.nextLong();
            told.clear();
            assurance.begin();
        }
        var changed = new LinkedHashMap<RangeId, Position>();
        var gone = new HashSet<>(told.keySet());
        for (var range : replica.ranges()) {
            gone.remove(range);
            var now = new Position(replica.epochs(range).last(), replica.lsn(range));
            if (!now.equals(told.get(range))) {
                changed.put(range, now);
            }
        }
        var pull = new Message.Pull(
                session, first, replica.catalogVersion(), changed, List.copyOf(gone), PULL_WAIT_MILLIS);
        long askedIn = questions.countingCharter(from);
        long sentNanos = nanos.getAsLong();
        followed = from.name();
        var unless = moved;
        if (!charter().writeRegion().equals(from.name())) {
            return; // It has changed since this turn began.
        }
        var answer = questions.ask(from, pull, unless);
        switch (answer) {
            case Message.News news -> {
                source = from.name();
                told.putAll(changed);
                gone.forEach(told::remove);
                touchedNanos = Optional.of(sentNanos);
                take(from, news);
                boolean isLevel = news.isAll() && caughtUp;
                if (isLevel) {
                    levelNanos = touchedNanos;
                }
                assurance.answered(askedIn, questions.countingCharter(from), isLevel, news.isLeased(), sentNanos);
            }
            case Message.Unknown _ -> source = "";
            case Message.Refusal(var reason) -> {
                source = "";
                if (charter().writeRegion().equals(from.name())) {
                    questions.warn(from.name() + " refuses to be followed: " + reason);
                }
                throw new IllegalStateException(from.name() + ": " + reason);
            }
            default -> throw new IllegalStateException(from.name() + " answers with " + answer);
        }
    }

    private void take(Member from, Message.News news) {
        news.catalog().ifPresent(shipment -> lostChanges.addAndGet(replica.follow(shipment)));
        var applying = new ArrayList<CompletableFuture<Void>>();
        for (var range : news.ranges()) {
            if (range.isParted()) {
                giveUpBehind(from, range);
            } else {
                applying.add(replica.apply(range));
            }
        }
        CompletableFuture.allOf(applying.toArray(CompletableFuture[]::new)).join();
        for (var range : news.ranges()) {
            long missing = range.isParted()
                    ? range.lsn()
                    : range.epochs().changes(range.shipment().completeLsn(), range.lsn());
            if (missing > 0) {
                lagging.put(range.range(), missing);
            } else {
                lagging.remove(range.range());
            }
        }
        caughtUp = lagging.isEmpty();
        if (caughtUp && news.isAll()) {
            hasJoined();
        }
        news.stable().forEach(stability::raise);
    }

    private void hasJoined() {
        if (joining) {
            LOG.info("{} has caught up with its account, and answers reads", settings.me());
            joining = false;
            joined.run();
            offering.begin();
        }
    }

    /** What was made here and nowhere else goes to the conflicts; then the range is made anew. */
    private void giveUpBehind(Member writer, RangeNews news) {
        var lost = offering.lost(replica.changesBehind(news.range(), news.fork()));
        LOG.warn(
                "Range {} of container {} has {} changes that {} does not know; they go to the conflicts feed",
                news.range().range(),
                news.range().container(),
                lost.size(),
                writer.name());
        for (int from = 0; from < lost.size(); from += LOST_AT_ONCE) {
            List<LostChange> some = lost.subList(from, Math.min(lost.size(), from + LOST_AT_ONCE));
            if (!(questions.ask(writer, new Message.Lost(some)) instanceof Message.Done)) {
                throw new IllegalStateException(writer.name() + " did not take what was lost");
            }
        }
        lostChanges.addAndGet(lost.size());
        assurance.end(); // What was acknowledged is not here for a while.
        replica.empty(news.range(), news.lsn());
    }

    // ---- answering ----

    /** Answers a question of another region. */
    public CompletionStage<byte[]> answer(byte[] question) {
        Envelope asked;
        try {
            asked = Envelope.decode(question);
            questions.demandAccount(asked);
        } catch (RuntimeException unreadable) {
            questions.warn("A question of another region was refused: " + unreadable.getMessage());
            return CompletableFuture.completedStage(sealed(new Message.Refusal(unreadable.getMessage())));
        }
        if (charter().find(asked.sender()).isEmpty()
                && asked.charter().find(settings.me()).isEmpty()) {
            questions.warn("A question was refused: '" + asked.sender() + "' is no region of this account.");
            return CompletableFuture.completedStage(
                    sealed(new Message.Refusal("'" + asked.sender() + "' is no region of this account.")));
        }
        hear(asked.charter());
        return reply(asked)
                .exceptionally(problem -> new Message.Refusal(Questions.reason(problem)))
                .thenCompose(message ->
                        faults.through(asked.sender(), () -> CompletableFuture.completedStage(sealed(message))));
    }

    private byte[] sealed(Message message) {
        return new Envelope(settings.account(), settings.me(), charter(), message).encode();
    }

    private CompletionStage<Message> reply(Envelope asked) {
        try {
            return switch (asked.message()) {
                case Message.Pull pull -> {
                    boolean survivor = pull.waitMillis() == 0;
                    if (!survivor && !charter().writeRegion().equals(settings.me())) {
                        yield CompletableFuture.completedStage(
                                new Message.Refusal("writes go to " + charter().writeRegion()));
                    }
                    yield (survivor ? followers.pull(asked.sender(), pull) : tell(asked.sender(), pull))
                            .thenApply(answer ->
                                    answer instanceof Message.News news ? news.leased(council.isLeased()) : answer);
                }
                case Message.Lost(var changes) -> {
                    replica.keepLost(asked.sender(), changes, clock.instant().getEpochSecond());
                    yield CompletableFuture.completedStage(new Message.Done());
                }
                case Message.Offers _
                when charter().find(asked.sender()).isEmpty() ->
                    CompletableFuture.completedStage(new Message.Refusal("'" + asked.sender()
                            + "' is no region of this account any more: nothing of it is settled"));
                case Message.Offers offers -> offering.answer(asked.sender(), offers);
                case Message.Greeting _ -> CompletableFuture.completedStage(new Message.Done());
                case Message.Handover(var to) -> handOver(to).thenApply(_ -> new Message.Done());
                case Message.Join join ->
                    add(join.name(), join.endpoint(), join.council(), join.isWitness())
                            .thenApply(_ -> new Message.Done());
                case Message.Leave(var name) -> membership.leave(name);
                case Message.News _, Message.Unknown _, Message.Done _, Message.Settlements _, Message.Refusal _ ->
                    CompletableFuture.completedStage(new Message.Refusal("That is no question."));
            };
        } catch (RuntimeException problem) {
            return CompletableFuture.failedStage(problem);
        }
    }

    /** Tells one that follows; before this region has what others have of its predecessor, it would make them give that up. */
    private CompletionStage<Message> tell(String follower, Message.Pull pull) {
        var begun = leading;
        return begun.copy()
                .completeOnTimeout(null, pull.waitMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(_ -> begun.isDone()
                        ? followers.pull(follower, pull)
                        : CompletableFuture.completedStage(new Message.Unknown()));
    }

    // ---- coming and going ----

    /** Counts one more region in. It may be started then, and catches up while the others serve. */
    public CompletionStage<Charter> add(String name, String endpoint, String address, boolean isWitness) {
        return membership.add(name, endpoint, address, isWitness);
    }

    /**
     * Counts a region out. It goes on answering what it has, until somebody stops it.
     *
     * @param isLost whether to do so although nobody can say which writes only it has, where all regions write
     */
    public CompletionStage<Charter> remove(String name, boolean isLost) {
        return membership.remove(name, isLost);
    }

    // ---- failover by hand ----

    /** Moves the writes to another region without losing any; done when that one may write. */
    public CompletionStage<Charter> failOver(String to) {
        var charter = charter();
        var target = Membership.demand(charter, to);
        if (target.isWitness()) {
            throw bad("'" + to + "' is a witness: it has no data, and cannot take the writes.");
        }
        if (charter.writeRegion().equals(target.name())) {
            return CompletableFuture.completedStage(charter);
        }
        if (charter.writeRegion().equals(settings.me())) {
            return handOver(to);
        }
        return membership.asked(
                charter.writer(),
                new Message.Handover(to),
                now -> now.writeRegion().equals(to));
    }

    /** Names another write region although the present one does not answer: what only that one has is lost to conflicts. */
    public CompletionStage<Charter> forceFailOver() {
        return council.change(council.charter().withWriter(settings.me()));
    }

    private CompletionStage<Charter> handOver(String to) {
        return CompletableFuture.supplyAsync(() -> {
            synchronized (this) {
                var charter = charter();
                if (!charter.writeRegion().equals(settings.me()) || !replica.takesWrites()) {
                    throw bad("This region does not take the writes at present, so it cannot hand them over.");
                }
                if (followers.silentNanos(to) > settings.lease().toNanos()) {
                    throw bad("'" + to + "' has not been heard of for a while, so it cannot take over without losing"
                            + " writes. Bring it back first.");
                }
                handingOver = true;
                try {
                    replica.stepDown("The writes are being moved to " + to + ".");
                    awaitAbreast(to);
                    return council.change(charter.withWriter(to))
                            .toCompletableFuture()
                            .join();
                } catch (RuntimeException failed) {
                    LOG.warn("The writes could not be moved to {}: {}", to, Questions.reason(failed));
                    throw failed;
                } finally {
                    handingOver = false;
                    wake();
                }
            }
        });
    }

    private void awaitAbreast(String to) {
        long endNanos = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(HANDOVER_SECONDS);
        followers.answerAll();
        while (!followers.isLevel(to)) {
            if (nanos.getAsLong() > endNanos || closed) {
                throw bad("'" + to + "' did not catch up within " + HANDOVER_SECONDS
                        + " seconds; this region goes on writing.");
            }
            rest(5);
        }
    }

    // ---- telling people ----

    public RegionStatus status() {
        return new Census(settings.me(), charter(), replica, followers)
                .status(
                        lagging.values().stream().mapToLong(Long::longValue).sum(),
                        touchedNanos.map(this::secondsSince),
                        levelNanos.map(this::secondsSince),
                        faults.described(),
                        lastFailover,
                        lostChanges.get());
    }

    private double secondsSince(long then) {
        return (nanos.getAsLong() - then) / 1e9;
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }

    /** Stops asking and answering. */
    @Override
    public void close() {
        closed = true;
        offering.close();
        wake();
        council.close();
    }
}
