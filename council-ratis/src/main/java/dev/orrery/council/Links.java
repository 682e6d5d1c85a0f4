package dev.orrery.council;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections between the members of a council: what Ratis says to Ratis, and proposals on their way to the leader.
 *
 * <p>A connection carries one request at a time, {@code kind:1 length:4 bytes}, and its answer, {@code failure length:4 bytes},
 * where an empty failure means success.
 */
final class Links implements RaftServerRpc {
    private static final Logger LOG = LoggerFactory.getLogger(Links.class);

    // On the wire: append only.
    private static final int VOTE = 0;
    private static final int APPEND = 1;
    private static final int SNAPSHOT = 2;
    private static final int ELECTION = 3;
    private static final int PROPOSAL = 4;

    private static final int FRAME_BYTES_MAX = 1 << 20;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int GREETING_MILLIS = 5_000;

    /** What this member says to a proposal that another one passes on. */
    interface Proposals {
        byte[] take(byte[] proposal) throws IOException;
    }

    private final InetSocketAddress bind;
    private final Greeting greeting;
    private final Optional<SSLContext> tls;
    private final LinkFaults faults;
    private final Executor executor;
    private final Proposals proposals;
    private final int answerMillis;

    private final Map<String, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final Map<String, Deque<Link>> idle = new ConcurrentHashMap<>();
    private final Set<Link> open = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private volatile RaftServer server;
    private volatile ServerSocket listener;
    private volatile boolean isClosed;

    Links(
            InetSocketAddress bind,
            Greeting greeting,
            Optional<SSLContext> tls,
            LinkFaults faults,
            Executor executor,
            Proposals proposals,
            int answerMillis) {
        this.bind = bind;
        this.greeting = greeting;
        this.tls = tls;
        this.faults = faults;
        this.executor = executor;
        this.proposals = proposals;
        this.answerMillis = answerMillis;
    }

    /** One connection, ready for its next request. */
    private final class Link implements Closeable {
        final Socket socket;
        final DataInputStream in;
        final DataOutputStream out;

        Link(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            open.add(this);
            if (isClosed) {
                close();
            }
        }

        byte[] readBytes() throws IOException {
            int length = in.readInt();
            if (length < 0 || length > FRAME_BYTES_MAX) {
                throw new IOException("a message of " + length + " bytes");
            }
            return in.readNBytes(length);
        }

        void writeBytes(byte[] bytes) throws IOException {
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        }

        @Override
        public void close() {
            open.remove(this);
            closeQuietly(socket);
        }
    }

    // The side that asks.

    byte[] propose(String member, byte[] proposal) throws IOException {
        return ask(member, PROPOSAL, proposal);
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        return RequestVoteReplyProto.parseFrom(ask(asked(request.getServerRequest()), VOTE, request.toByteArray()));
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return AppendEntriesReplyProto.parseFrom(ask(asked(request.getServerRequest()), APPEND, request.toByteArray()));
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return InstallSnapshotReplyProto.parseFrom(
                ask(asked(request.getServerRequest()), SNAPSHOT, request.toByteArray()));
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        return StartLeaderElectionReplyProto.parseFrom(
                ask(asked(request.getServerRequest()), ELECTION, request.toByteArray()));
    }

    private static String asked(RaftRpcRequestProto request) {
        return RaftPeerId.valueOf(request.getReplyId()).toString();
    }

    private byte[] ask(String member, int kind, byte[] request) throws IOException {
        try {
            return exchange(member, kind, request);
        } catch (SocketTimeoutException late) {
            // By its type it counts as an interruption, for which a proposal is given up and Ratis begins anew with the
            // member.
            throw new IOException(member + " did not answer in time", late);
        }
    }

    private byte[] exchange(String member, int kind, byte[] request) throws IOException {
        checkOpen(member);
        hold(member);
        var link = link(member);
        String failure;
        byte[] answer;
        try {
            link.out.writeByte(kind);
            link.writeBytes(request);
            failure = link.in.readUTF();
            answer = link.readBytes();
            checkOpen(member);
        } catch (IOException failed) {
            link.close();
            // Those beside it have most likely been lost with it.
            idle(member).removeIf(other -> {
                other.close();
                return true;
            });
            throw failed;
        }
        idle(member).push(link);
        if (!failure.isEmpty()) {
            throw new IOException(member + ": " + failure);
        }
        return answer;
    }

    private Deque<Link> idle(String member) {
        return idle.computeIfAbsent(member, _ -> new ConcurrentLinkedDeque<>());
    }

    private Link link(String member) throws IOException {
        var link = idle(member).poll();
        return link == null ? dial(member) : link;
    }

    private Link dial(String member) throws IOException {
        var address = addresses.get(member);
        if (address == null) {
            throw new IOException("nobody has said where " + member + " is");
        }
        var plain = new Socket();
        try {
            // Looked up anew each time: a host may have moved.
            plain.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
            plain.setSoTimeout(GREETING_MILLIS);
            var link = new Link(tls.isPresent() ? encrypted(plain, address) : plain);
            try {
                greeting.call(link.socket, link.in, link.out, member);
                link.socket.setSoTimeout(answerMillis);
            } catch (IOException failed) {
                link.close();
                throw failed;
            }
            refused.remove(member);
            return link;
        } catch (IOException | RuntimeException failed) {
            closeQuietly(plain);
            tellOnce(member, failed);
            throw failed;
        }
    }

    private Socket encrypted(Socket plain, InetSocketAddress address) throws IOException {
        var socket = (SSLSocket)
                tls.get().getSocketFactory().createSocket(plain, address.getHostString(), address.getPort(), true);
        socket.startHandshake();
        return socket;
    }

    // The side that answers.

    void serve(RaftServer served) {
        server = served;
    }

    @Override
    public void start() throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(bind);
        listener = socket;
        executor.execute(this::accept);
    }

    private void accept() {
        while (!isClosed) {
            try {
                var socket = listener.accept();
                executor.execute(() -> converse(socket));
            } catch (IOException failed) {
                if (!isClosed) {
                    LOG.warn("The council's port does not take connections", failed);
                }
            }
        }
    }

    private void converse(Socket plain) {
        try {
            plain.setSoTimeout(GREETING_MILLIS);
            var link = new Link(tls.isPresent() ? decrypted(plain) : plain);
            try (link) {
                String from = greeting.answer(link.socket, link.in, link.out);
                // Nobody says anything for long where nothing happens and this member is not the leader.
                link.socket.setSoTimeout(0);
                while (!isClosed) {
                    answer(link, from);
                }
            }
        } catch (IOException ended) {
            if (!isClosed) {
                tellOnce(String.valueOf(plain.getInetAddress()), ended);
            }
        } finally {
            closeQuietly(plain);
        }
    }

    private Socket decrypted(Socket plain) throws IOException {
        var socket = (SSLSocket) tls.get().getSocketFactory().createSocket(plain, null, true);
        socket.setUseClientMode(false);
        socket.startHandshake();
        return socket;
    }

    private void answer(Link link, String from) throws IOException {
        int kind = link.in.readByte();
        byte[] request = link.readBytes();
        checkOpen(from);
        byte[] answer = {};
        String failure = "";
        try {
            answer = answer(kind, request, from);
        } catch (IOException | RuntimeException failed) {
            failure = String.valueOf(failed.getMessage());
            failure = failure.isEmpty() ? failed.toString() : failure;
        }
        hold(from);
        checkOpen(from);
        link.out.writeUTF(failure);
        link.writeBytes(answer);
    }

    private byte[] answer(int kind, byte[] bytes, String from) throws IOException {
        return switch (kind) {
            case VOTE -> {
                var request = RequestVoteRequestProto.parseFrom(bytes);
                checkSender(request.getServerRequest(), from);
                yield server.requestVote(request).toByteArray();
            }
            case APPEND -> {
                var request = withVerifiedCommit(AppendEntriesRequestProto.parseFrom(bytes));
                checkSender(request.getServerRequest(), from);
                yield server.appendEntries(request).toByteArray();
            }
            case SNAPSHOT -> {
                var request = InstallSnapshotRequestProto.parseFrom(bytes);
                checkSender(request.getServerRequest(), from);
                yield server.installSnapshot(request).toByteArray();
            }
            case ELECTION -> {
                var request = StartLeaderElectionRequestProto.parseFrom(bytes);
                checkSender(request.getServerRequest(), from);
                yield server.startLeaderElection(request).toByteArray();
            }
            case PROPOSAL -> proposals.take(bytes);
            default -> throw new IOException("a message of kind " + kind + " is of a later version");
        };
    }

    /**
     * The same message, without leave to commit what it does not speak of. Ratis 3.3 takes a message with nothing before its
     * entries for one that confirms one entry more than it has. A member that was the first leader for a moment then commits the
     * entry that it wrote then, although another is in its place, and accepts nothing ever after.
     */
    static AppendEntriesRequestProto withVerifiedCommit(AppendEntriesRequestProto request) {
        if (request.hasPreviousLog()) {
            return request;
        }
        int entries = request.getEntriesCount();
        long lastVerified = entries == 0 ? -1 : request.getEntries(entries - 1).getIndex();
        return request.toBuilder()
                .setLeaderCommit(Math.min(request.getLeaderCommit(), lastVerified))
                .build();
    }

    private static void checkSender(RaftRpcRequestProto request, String from) throws IOException {
        if (!RaftPeerId.valueOf(request.getRequestorId()).toString().equals(from)) {
            throw new IOException(from + " speaks for somebody else");
        }
    }

    // Faults.

    private void checkOpen(String member) throws IOException {
        if (faults.isCut(member)) {
            throw new IOException("the link with " + member + " is cut");
        }
    }

    private void hold(String member) throws IOException {
        long millis = faults.delayMillis(member);
        if (millis <= 0) {
            return;
        }
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted on the way to " + member);
        }
    }

    /** A member that is away is asked several times a second: one line is enough until it is back. */
    private void tellOnce(String whom, Exception failed) {
        if (!isClosed && refused.add(whom)) {
            LOG.info("No connection of the council with {}: {}", whom, failed.toString());
        }
    }

    // What else Ratis asks.

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        for (var peer : peers) {
            String address = peer.getAddress();
            if (address != null) {
                addresses.put(peer.getId().toString(), address(address));
            }
        }
    }

    static InetSocketAddress address(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return InetSocketAddress.createUnresolved(
                hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
    }

    @Override
    public void handleException(RaftPeerId member, Exception failed, boolean reconnect) {
        // The connection is closed where it failed, and the next request makes a new one.
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return bind;
    }

    @Override
    public RpcType getRpcType() {
        return new CouncilRpcType();
    }

    @Override
    public void close() {
        isClosed = true;
        if (listener != null) {
            closeQuietly(listener);
        }
        Set.copyOf(open).forEach(Link::close);
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            LOG.debug("A connection of the council did not close", ignored);
        }
    }
}
