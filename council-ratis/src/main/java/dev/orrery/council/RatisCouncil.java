package dev.orrery.council;

import dev.orrery.council.CouncilState.Change;
import dev.orrery.council.CouncilState.Found;
import dev.orrery.council.CouncilState.Renew;
import dev.orrery.council.CouncilState.Step;
import dev.orrery.council.CouncilState.Verdict;
import dev.orrery.region.Charter;
import dev.orrery.region.Council;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The council as a Raft group with one voter per member. Its log holds charters and the renewals of the write region's lease;
 * {@link Lease} says when to renew and when to take over, {@link Voters} keeps the voters of the group those of the charter.
 */
public final class RatisCouncil implements Council {
    private static final Logger LOG = LoggerFactory.getLogger(RatisCouncil.class);

    /** How often it looks whether something is due; the time that counts is that of the clock handed in. */
    private static final int LOOK_MILLIS = 100;

    static final int ANSWER_MILLIS = 3_000;

    private final CouncilSeat seat;
    private final Lease lease;
    private final Proposer proposer;
    private final Links links;
    private final RaftServer server;
    private final Voters voters;
    private final List<Consumer<Charter>> watchers = new CopyOnWriteArrayList<>();
    private final Semaphore wake = new Semaphore(0);
    private final AtomicBoolean isRenewing = new AtomicBoolean();
    private final AtomicBoolean isProposing = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Charter known;
    private volatile boolean isClosed;

    private RatisCouncil(CouncilSeat seat) throws IOException {
        this.seat = seat;
        known = seat.charter();
        lease = new Lease(seat.member(), seat.times(), seat.nanos());
        var id = UUID.nameUUIDFromBytes(("orrery council of " + seat.account()).getBytes(StandardCharsets.UTF_8));
        var group = RaftGroupId.valueOf(id);
        var member = RaftPeerId.valueOf(seat.member());
        proposer = new Proposer(group, member, seat.executor(), ANSWER_MILLIS);
        var greeting = new Greeting(id, seat.member(), seat.keys(), seat.random());
        links = new Links(
                seat.bind(), greeting, seat.tls(), seat.faults(), seat.executor(), proposer::take, ANSWER_MILLIS);
        boolean isNew = Files.notExists(seat.folder().resolve(id.toString()));
        server = RaftServer.newBuilder()
                .setServerId(member)
                .setGroup(
                        seat.isFounder()
                                ? RaftGroup.valueOf(group, Voters.of(seat.charter()))
                                : RaftGroup.valueOf(group))
                .setOption(isNew ? StartupOption.FORMAT : StartupOption.RECOVER)
                .setStateMachine(new CharterMachine(this::applied))
                .setProperties(RaftSettings.of(seat.folder(), seat.times()))
                .setParameters(CouncilRpcType.parameters(links))
                .build();
        voters = new Voters(server, group, member, proposer, seat.times().electionMin());
    }

    /** Takes the seat; the others need not be there yet. */
    public static RatisCouncil open(CouncilSeat seat) {
        try {
            Files.createDirectories(seat.folder());
            var council = new RatisCouncil(seat);
            council.start();
            return council;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void start() throws IOException {
        try {
            server.start();
        } catch (IOException | RuntimeException failed) {
            links.close();
            server.close();
            throw failed;
        }
        proposer.begin(server, links);
        seat.executor().execute(this::lookAfterIt);
    }

    @Override
    public synchronized Charter charter() {
        return known;
    }

    /** As far as the log has been applied here. */
    CouncilState state() {
        return lease.state();
    }

    /** The names of those who have a vote now. They follow the charter's members, one step behind. */
    Set<String> voters() {
        return voters.names();
    }

    @Override
    public boolean isLeased() {
        return charter().writeRegion().equals(seat.member()) && lease.isLeased();
    }

    @Override
    public void watch(Consumer<Charter> watcher) {
        watchers.add(watcher);
    }

    @Override
    public CompletionStage<Charter> change(Charter next) {
        checkSense(next);
        var now = charter();
        if (next.version() != now.version() + 1) {
            return CompletableFuture.failedFuture(changed(now));
        }
        boolean isNewWriter = !next.writeRegion().equals(now.writeRegion());
        boolean isHandOver = isNewWriter && now.writeRegion().equals(seat.member());
        if (isHandOver) {
            lease.giveUp();
        }
        var state = lease.state();
        // Only the write region itself knows that its lease is over; named by another, the next one waits for its end.
        var change = new Change(next, isHandOver && state.isSettled(), state.renewals());
        return founded()
                .thenCompose(_ -> propose(change))
                .thenCompose(charter -> charter.isVoted()
                        ? voters.without(charter, seat.times().patience())
                        : CompletableFuture.completedFuture(charter))
                .whenComplete((_, failed) -> {
                    if (isHandOver) {
                        lease.resume();
                    }
                });
    }

    /** Nothing can be changed before there is a first charter in the log; whoever is first puts it there. */
    private CompletableFuture<?> founded() {
        return seat.isFounder() && lease.state().charter().isEmpty()
                ? ask(new Found(seat.charter()))
                : CompletableFuture.completedFuture("");
    }

    private CompletableFuture<Step> ask(CouncilState.Command command) {
        return proposer.propose(command, seat.times().patience())
                .exceptionallyCompose(failed -> CompletableFuture.failedFuture(
                        new CouncilSilentException("too few members of the council answer", failed)));
    }

    private CompletableFuture<Charter> propose(Change change) {
        return ask(change).thenCompose(step -> {
            step.state().charter().ifPresent(this::know);
            return switch (step.verdict()) {
                case ACCEPTED -> CompletableFuture.completedFuture(change.next());
                case CHANGED -> CompletableFuture.failedFuture(changed(charter()));
                // The last renewal of one that hands over was still on its way.
                case RENEWED ->
                    propose(new Change(
                            change.next(), change.isFree(), step.state().renewals()));
            };
        });
    }

    private static CharterChangedException changed(Charter now) {
        return new CharterChangedException("version " + now.version() + " of the charter is in force");
    }

    private void checkSense(Charter next) {
        var writer = next.find(next.writeRegion())
                .orElseThrow(() -> new IllegalArgumentException("the write region is no member"));
        if (writer.isWitness()) {
            throw new IllegalArgumentException("a witness cannot write");
        }
        var now = charter();
        boolean isNewWriter = !next.writeRegion().equals(now.writeRegion());
        if (next.version() == now.version() + 1 && next.epoch() != now.epoch() + (isNewWriter ? 1 : 0)) {
            throw new IllegalArgumentException("the epoch does not go with the write region");
        }
    }

    /** Told by Ratis, in the order of the log. */
    private void applied(CouncilState state) {
        lease.applied(state);
        state.charter().ifPresent(this::know);
        wake.release();
    }

    private synchronized void know(Charter charter) {
        // A founder's own first charter is replaced by the one that came into the log, should they differ.
        if (charter.version() > known.version()
                || (charter.version() == 1 && known.version() == 1 && !charter.equals(known))) {
            known = charter;
            watchers.forEach(watcher -> watcher.accept(charter));
        }
    }

    private void lookAfterIt() {
        try {
            while (!isClosed) {
                try {
                    look();
                } catch (IOException | RuntimeException failed) {
                    LOG.warn("The council could not be looked after; it is tried again", failed);
                }
                if (wake.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            ended.complete(null);
        }
    }

    private void look() throws IOException {
        if (!isRenewing.get()) {
            lease.due().ifPresent(this::renew);
        }
        if (!isProposing.get()) {
            if (lease.state().charter().isEmpty()) {
                if (seat.isFounder() && voters.isLeader()) {
                    found();
                }
            } else {
                lease.takeover().ifPresent(this::takeOver);
            }
        }
        var now = lease.state().charter().filter(Charter::isVoted);
        if (now.isPresent()) {
            voters.follow(now.get());
        }
        voters.tell();
    }

    private void renew(Lease.Renewal renewal) {
        isRenewing.set(true);
        // A renewal that is answered after its time is worth nothing.
        var _ = proposer.propose(
                        new Renew(seat.member(), renewal.epoch()), seat.times().answer())
                .whenComplete((step, failed) -> {
                    if (failed != null) {
                        lease.unanswered();
                    } else if (step.verdict() == Verdict.ACCEPTED) {
                        lease.accepted(renewal);
                    }
                    isRenewing.set(false);
                    wake.release();
                });
    }

    private void found() {
        isProposing.set(true);
        var _ = proposer.propose(new Found(seat.charter()), seat.times().patience())
                .whenComplete((_, _) -> isProposing.set(false));
    }

    private void takeOver(Change change) {
        isProposing.set(true);
        LOG.info("{} has not been heard of; {} stands for write region", writer(), seat.member());
        var _ = proposer.propose(change, seat.times().silence()).whenComplete((step, failed) -> {
            if (failed != null) {
                lease.unanswered();
            }
            isProposing.set(false);
            LOG.info("{} stood for write region: {}", seat.member(), outcome(step, failed));
        });
    }

    private String writer() {
        return lease.state().charter().map(Charter::writeRegion).orElse("");
    }

    private static String outcome(Step step, Throwable failed) {
        return failed == null ? Objects.toString(step.verdict()) : failed.toString();
    }

    @Override
    public void close() {
        isClosed = true;
        lease.giveUp();
        wake.release();
        links.close();
        try {
            server.close();
            ended.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException failed) {
            LOG.warn("The council did not end well", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
