package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was acknowledged is there after the process was killed, and nothing is there by halves. */
class KillTest {

    private static final int ROUNDS = 2;
    private static final int PARTITIONS = 4;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void everythingAcknowledgedSurvivesSigkill(Durability durability) throws Exception {
        var random = Seed.random();
        for (int round = 0; round < ROUNDS; round++) {
            assertAllThere(commitAndKill(durability, random.nextInt(20, 1_000)));
        }
    }

    /** Kills the process when it has acknowledged so many commits; returns the last LSN it told for each partition. */
    private long[] commitAndKill(Durability durability, int commits) throws IOException, InterruptedException {
        var acknowledged = new long[PARTITIONS];
        var process = Committer.java(
                        Committer.class, directory.toString(), durability.name(), Integer.toString(PARTITIONS))
                .start();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < commits; i++) {
                note(acknowledged, lines.readLine());
            }
            process.toHandle().destroyForcibly(); // Unlike the process itself, its handle leaves the output readable.
            // What it wrote before it died counts, except for a line that it did not end.
            var rest = lines.readAllAsString();
            rest.substring(0, rest.lastIndexOf("\n") + 1).lines().forEach(line -> note(acknowledged, line));
        }
        process.waitFor();
        return acknowledged;
    }

    private static void note(long[] acknowledged, String line) {
        assertThat(line).as("The process has ended by itself").isNotNull();
        int blank = line.indexOf(' ');
        int partition = Integer.parseInt(line.substring(0, blank));
        acknowledged[partition] = Long.parseLong(line.substring(blank + 1));
    }

    private void assertAllThere(long[] acknowledged) {
        try (var background = Executors.newSingleThreadScheduledExecutor();
                var store = new RocksDbStore(directory, Committer.SETTINGS, background)) {
            for (int p = 0; p < PARTITIONS; p++) {
                var partition = store.open(new PartitionId(p), 1);
                assertThat(partition.lsn()).isGreaterThanOrEqualTo(acknowledged[p]);
                assertWhole(partition);
            }
        }
    }

    private static void assertWhole(PartitionStore partition) {
        long lsn = partition.lsn();
        for (long i = 1; i <= lsn; i++) {
            assertThat(partition.get(Committer.key('K', i))).isNotNull();
            assertThat(partition.get(Committer.key('S', i))).isNotNull();
        }
        assertThat(partition.get(Committer.key('K', lsn + 1))).isNull();
        assertThat(partition.get(Committer.key('S', lsn + 1))).isNull();
        if (lsn > 0) {
            assertThat(ByteBuffer.wrap(partition.get(Committer.key('L', 0))).getLong())
                    .isEqualTo(lsn);
        }
    }
}
