package dev.orrery.council;

import dev.orrery.council.CouncilState.Command;
import dev.orrery.council.CouncilState.Step;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * Brings commands into the council's log: tries again, wherever the leader is, until there is an answer. However often it
 * tries, a command takes effect once, for Ratis knows it by the {@code client:16 call:8} before it.
 */
final class Proposer {
    private static final int HEAD_BYTES = 24;
    private static final int TRY_AGAIN_MILLIS = 50;

    private final RaftGroupId group;
    private final RaftPeerId member;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Executor executor;
    private final int answerMillis;

    private volatile RaftServer server;
    private volatile Links links;

    Proposer(RaftGroupId group, RaftPeerId member, Executor executor, int answerMillis) {
        this.group = group;
        this.member = member;
        this.executor = executor;
        this.answerMillis = answerMillis;
    }

    void begin(RaftServer served, Links connected) {
        links = connected;
        server = served;
    }

    /** Ends with a {@link TimeoutException} when there is no answer in time; it may still take effect. */
    CompletableFuture<Step> propose(Command command, Duration patience) {
        byte[] bytes = CouncilFormat.encode(command);
        byte[] proposal = ByteBuffer.allocate(HEAD_BYTES + bytes.length)
                .put(client.toByteString().asReadOnlyByteBuffer())
                .putLong(calls.incrementAndGet())
                .put(bytes)
                .array();
        var answer = new CompletableFuture<Step>().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        executor.execute(() -> insist(proposal, answer));
        return answer;
    }

    private void insist(byte[] proposal, CompletableFuture<Step> answer) {
        try {
            while (!answer.isDone()) {
                var leader = leader();
                try {
                    if (leader.isPresent()) {
                        byte[] bytes = leader.get().equals(member)
                                ? take(proposal)
                                : links.propose(leader.get().toString(), proposal);
                        answer.complete(CouncilFormat.decodeAnswer(bytes));
                        return;
                    }
                } catch (InterruptedIOException interrupted) {
                    answer.completeExceptionally(interrupted);
                    return;
                } catch (IOException again) {
                    // The leader is gone or has changed, or a majority is out of reach; that is what the patience is
                    // for.
                }
                Thread.sleep(TRY_AGAIN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(interrupted);
        } catch (RuntimeException failed) {
            answer.completeExceptionally(failed);
        }
    }

    private Optional<RaftPeerId> leader() {
        var served = server;
        try {
            return served == null
                    ? Optional.empty()
                    : Optional.ofNullable(served.getDivision(group).getInfo().getLeaderId());
        } catch (IOException closing) {
            return Optional.empty();
        }
    }

    /** A proposal of this or another member, to be written by this one as the leader. */
    byte[] take(byte[] proposal) throws IOException {
        if (server == null || proposal.length < HEAD_BYTES) {
            throw new IOException("no proposal can be taken");
        }
        var head = ByteBuffer.wrap(proposal, 0, HEAD_BYTES);
        byte[] command = ByteBuffer.allocate(proposal.length - HEAD_BYTES)
                .put(proposal, HEAD_BYTES, proposal.length - HEAD_BYTES)
                .array();
        // One that cannot be read must not come into the log, where it would stop everybody.
        var _ = CouncilFormat.decodeCommand(command);
        var request = RaftClientRequest.newBuilder()
                .setClientId(ClientId.valueOf(ByteString.copyFrom(proposal, 0, HEAD_BYTES - Long.BYTES)))
                .setServerId(member)
                .setGroupId(group)
                .setCallId(head.getLong(HEAD_BYTES - Long.BYTES))
                .setMessage(Message.valueOf(ByteString.copyFrom(command)))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            var reply = server.submitClientRequestAsync(request).get(answerMillis, TimeUnit.MILLISECONDS);
            if (!reply.isSuccess()) {
                throw new IOException(String.valueOf(reply.getException()));
            }
            return reply.getMessage().getContent().toByteArray();
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    long nextCall() {
        return calls.incrementAndGet();
    }

    ClientId client() {
        return client;
    }
}
