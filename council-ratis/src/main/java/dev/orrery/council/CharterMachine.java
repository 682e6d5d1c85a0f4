package dev.orrery.council;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;

/** Takes the council's log, command by command, and tells of the state after each. */
final class CharterMachine extends BaseStateMachine {
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Consumer<CouncilState> applied;
    private CouncilState state = CouncilState.EMPTY;

    CharterMachine(Consumer<CouncilState> applied) {
        this.applied = applied;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            super.initialize(server, group, raftStorage);
                            storage.init(raftStorage);
                            load();
                        },
                        IOException.class);
    }

    /** Another member is about to send a snapshot. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** A snapshot has been received from another member. */
    @Override
    public void reinitialize() throws IOException {
        storage.loadLatestSnapshot();
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private synchronized void load() throws IOException {
        var snapshot = storage.getLatestSnapshot();
        if (snapshot == null) {
            return;
        }
        state = CouncilFormat.decodeState(Files.readAllBytes(snapshot.getFile().getPath()));
        setLastAppliedTermIndex(snapshot.getTermIndex());
        applied.accept(state);
    }

    @Override
    public synchronized CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        var entry = transaction.getLogEntry();
        var command = CouncilFormat.decodeCommand(
                entry.getStateMachineLogEntry().getLogData().toByteArray());
        var step = state.after(command);
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        if (!step.state().equals(state)) {
            state = step.state();
            applied.accept(state);
        }
        return CompletableFuture.completedFuture(Message.valueOf(ByteString.copyFrom(CouncilFormat.encode(step))));
    }

    @Override
    public synchronized long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        if (last.getIndex() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        Path file = storage.getSnapshotFile(last.getTerm(), last.getIndex()).toPath();
        Files.write(
                file,
                CouncilFormat.encode(state),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        // The digest comes last: a snapshot without one is passed over.
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file, digest), last));
        return last.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }
}
