package dev.orrery.council;

import dev.orrery.region.Charter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Raft group follow the charter: its members are the voters, and the write region leads, so that a renewal needs one
 * round trip and the loss of another member does not delay it. Done by whoever leads, again and again until it is so: nothing is
 * left half done when a member dies in between.
 */
final class Voters {
    private static final Logger LOG = LoggerFactory.getLogger(Voters.class);
    private static final int TRANSFER_MILLIS = 500;

    private final RaftServer server;
    private final RaftGroupId group;
    private final RaftPeerId member;
    private final Proposer proposer;
    private final long aliveMillis;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    private record Waiting(Charter charter, CompletableFuture<Charter> done) {}

    Voters(RaftServer server, RaftGroupId group, RaftPeerId member, Proposer proposer, Duration alive) {
        aliveMillis = alive.toMillis();
        this.server = server;
        this.group = group;
        this.member = member;
        this.proposer = proposer;
    }

    static List<RaftPeer> of(Charter charter) {
        return charter.members().stream()
                .filter(one -> !one.council().isEmpty())
                .map(one -> RaftPeer.newBuilder()
                        .setId(one.name())
                        .setAddress(one.council())
                        .build())
                .toList();
    }

    boolean isLeader() throws IOException {
        return server.getDivision(group).getInfo().isLeader();
    }

    /** One step towards what the charter says, if this member leads. */
    void follow(Charter charter) throws IOException {
        var info = server.getDivision(group).getInfo();
        if (!info.isLeader() || !info.isLeaderReady() || isBusy.get()) {
            return;
        }
        var wanted = of(charter);
        boolean isVoter = charter.find(member.toString()).isPresent();
        if (isVoter && !addresses(wanted).equals(addresses(current()))) {
            LOG.info("The council becomes {}", addresses(wanted));
            attempt(server.setConfigurationAsync(
                    new SetConfigurationRequest(proposer.client(), member, group, proposer.nextCall(), wanted)));
        } else if (isThere(charter.writeRegion())) {
            attempt(server.transferLeadershipAsync(transfer(RaftPeerId.valueOf(charter.writeRegion())))
                    .thenCompose(this::stepDownIfStuck));
        }
    }

    private TransferLeadershipRequest transfer(RaftPeerId to) {
        return new TransferLeadershipRequest(
                proposer.client(), member, group, proposer.nextCall(), to, TRANSFER_MILLIS);
    }

    /**
     * A leader of Ratis whose transfer could not begin refuses all proposals as if it went on, for ever. Another election ends
     * that.
     */
    private CompletableFuture<RaftClientReply> stepDownIfStuck(RaftClientReply reply) {
        var failure = reply.getTransferLeadershipException();
        if (failure == null || failure.getMessage().contains("TIMED_OUT")) {
            return CompletableFuture.completedFuture(reply);
        }
        LOG.info("The council elects anew: {}", failure.getMessage());
        try {
            return server.transferLeadershipAsync(transfer(null));
        } catch (IOException closing) {
            return CompletableFuture.failedFuture(closing);
        }
    }

    /**
     * Nothing can be proposed during a transfer, so it is tried only with one who answers. A new leader takes all others for
     * alive at first.
     */
    private boolean isThere(String other) throws IOException {
        var role = server.getDivision(group).getInfo().getRoleInfoProto();
        return role.getRoleElapsedTimeMs() > 2 * aliveMillis
                && role.getLeaderInfo().getFollowerInfoList().stream()
                        .anyMatch(follower -> follower.getLastRpcElapsedTimeMs() < aliveMillis
                                && RaftPeerId.valueOf(follower.getId().getId())
                                        .toString()
                                        .equals(other));
    }

    /** Ends when those who are no longer members have no vote either, so that they may be stopped; or after a while. */
    CompletableFuture<Charter> without(Charter charter, Duration patience) {
        var done =
                new CompletableFuture<Charter>().completeOnTimeout(charter, patience.toMillis(), TimeUnit.MILLISECONDS);
        waiting.add(new Waiting(charter, done));
        tell();
        return done;
    }

    void tell() {
        waiting.removeIf(one -> {
            if (!one.done().isDone() && haveGone(one.charter())) {
                one.done().complete(one.charter());
            }
            return one.done().isDone();
        });
    }

    private boolean haveGone(Charter charter) {
        var names = names();
        return !names.isEmpty()
                && of(charter).stream()
                        .map(peer -> peer.getId().toString())
                        .collect(Collectors.toSet())
                        .containsAll(names);
    }

    /** None while they change: until then, a majority of those before and of those to come is needed. */
    Set<String> names() {
        try {
            var voters = server.getDivision(group).getRaftConf();
            return voters.getPreviousPeers().isEmpty()
                    ? voters.getCurrentPeers().stream()
                            .map(peer -> peer.getId().toString())
                            .collect(Collectors.toSet())
                    : Set.of();
        } catch (IOException closing) {
            return Set.of();
        }
    }

    private void attempt(CompletableFuture<?> attempt) {
        isBusy.set(true);
        // One that fails is made again, but not at once.
        var _ = attempt.handle((_, _) -> "")
                .thenCompose(_ -> new CompletableFuture<String>().completeOnTimeout("", 1, TimeUnit.SECONDS))
                .thenAccept(_ -> isBusy.set(false));
    }

    private Collection<RaftPeer> current() throws IOException {
        return server.getDivision(group).getRaftConf().getCurrentPeers();
    }

    private static Map<RaftPeerId, String> addresses(Collection<RaftPeer> peers) {
        return peers.stream().collect(Collectors.toMap(RaftPeer::getId, RaftPeer::getAddress));
    }
}
