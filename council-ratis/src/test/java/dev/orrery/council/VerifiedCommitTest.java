package dev.orrery.council;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.junit.jupiter.api.Test;

/** A message of a leader commits only what it shows to be in the log of who reads it. */
class VerifiedCommitTest {
    private static AppendEntriesRequestProto message(long commit, long... indexes) {
        var message = AppendEntriesRequestProto.newBuilder().setLeaderTerm(3).setLeaderCommit(commit);
        for (long index : indexes) {
            message.addEntries(LogEntryProto.newBuilder().setTerm(3).setIndex(index));
        }
        return message.build();
    }

    private static long commit(AppendEntriesRequestProto message) {
        return Links.withVerifiedCommit(message).getLeaderCommit();
    }

    @Test
    void aHeartbeatThatNamesNoEntryCommitsNothing() {
        assertThat(commit(message(0))).isEqualTo(-1);
        assertThat(commit(message(7))).isEqualTo(-1);
        assertThat(commit(message(-1))).isEqualTo(-1);
    }

    @Test
    void theFirstEntriesOfALogCommitNoMoreThanThemselves() {
        assertThat(commit(message(5, 0))).isEqualTo(0);
        assertThat(commit(message(5, 0, 1, 2))).isEqualTo(2);
        assertThat(commit(message(1, 0, 1, 2))).isEqualTo(1);
        assertThat(commit(message(-1, 0))).isEqualTo(-1);
    }

    @Test
    void whatFollowsANamedEntryIsLeftAsItIs() {
        var heartbeat = message(9).toBuilder()
                .setPreviousLog(TermIndexProto.newBuilder().setTerm(3).setIndex(9))
                .build();
        assertThat(Links.withVerifiedCommit(heartbeat)).isSameAs(heartbeat);
    }
}
