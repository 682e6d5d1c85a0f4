package dev.orrery.council;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis for a log of one small entry a second: little memory, few wake-ups. */
final class RaftSettings {
    /** About half an hour of renewals. */
    private static final long ENTRIES_PER_SNAPSHOT = 2_000;

    private static final int SNAPSHOTS_KEPT = 2;

    private RaftSettings() {}

    static RaftProperties of(Path folder, CouncilTimes times) {
        var all = new RaftProperties();
        RaftConfigKeys.Rpc.setType(all, new CouncilRpcType());
        RaftServerConfigKeys.setStorageDir(all, List.of(folder.toFile()));

        RaftServerConfigKeys.Rpc.setTimeoutMin(all, time(times.electionMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(all, time(times.electionMax()));
        // When all have just been started, nobody needs to wait for a leader that may still be there.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                all, time(times.electionMin().dividedBy(3)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                all, time(times.electionMax().dividedBy(3)));
        // The pause after a message that did not get through.
        RaftServerConfigKeys.Rpc.setSleepTime(all, time(Duration.ofMillis(200)));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(all, time(times.silence()));
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(all, true);
        // A process that was stopped for long goes on when it runs again; Ratis would close it for good.
        RaftServerConfigKeys.setCloseThreshold(all, time(Duration.ofDays(365)));

        RaftServerConfigKeys.Log.setSegmentSizeMax(all, SizeInBytes.valueOf("256KB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(all, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(all, SizeInBytes.valueOf("128KB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(all, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(all, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(all, 2);
        // Noting the commit index in the log would write a second entry for each renewal.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(all, false);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, true);
        RaftServerConfigKeys.Log.setPurgeGap(all, (int) ENTRIES_PER_SNAPSHOT / 2);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(all, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(all, ENTRIES_PER_SNAPSHOT);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(all, SNAPSHOTS_KEPT);
        return all;
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
