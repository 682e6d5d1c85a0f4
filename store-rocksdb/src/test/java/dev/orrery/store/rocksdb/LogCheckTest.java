package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.CommitResult;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a crash, a last write that nobody was told of may be missing, and nothing else. */
class LogCheckTest {

    private static final PartitionId ONE = new PartitionId(1);
    private static final int COMMITS = 20;

    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
    private final CountDownLatch ended = new CountDownLatch(1);

    @TempDir
    private Path base;

    private Path directory;

    @AfterEach
    void stop() {
        ended.countDown();
        background.shutdownNow();
    }

    @Test
    void aLastWriteThatWasCutOffIsDroppedAndNothingElse() throws IOException {
        crashInLastCommit(200);
        cutTo(end(COMMITS) - 1);

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS - 1);
    }

    @Test
    void aLastWriteThatIsWholeIsKept() throws IOException {
        crashInLastCommit(200);

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS);
    }

    @Test
    void aWriteThatWasCutOffIsRefusedIfItWasAcknowledged() throws IOException {
        crash(200);
        cutTo(end(COMMITS) - 1);

        assertRefused();
    }

    @Test
    void aWriteThatIsGoneAltogetherIsRefusedIfItWasAcknowledged() throws IOException {
        crash(200);
        cutTo(end(COMMITS - 1));

        assertRefused();
    }

    @Test
    void aLogThatIsEmptyIsRefusedIfAnythingInItWasAcknowledged() throws IOException {
        crash(200);
        cutTo(0);

        assertRefused();
    }

    @Test
    void sectorsOfTheLastWriteThatAreMissingAreNoDamage() throws IOException {
        crashInLastCommit(200_000);
        change(bytes -> Arrays.fill(bytes, (int) end(COMMITS - 1) + 50_000 & -512, 120_000 & -512, (byte) 0));

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS - 1);
    }

    @Test
    void aLastWriteOfNothingButZerosIsNoDamage() throws IOException {
        crashInLastCommit(200);
        change(bytes -> Arrays.fill(bytes, (int) end(COMMITS - 1), bytes.length, (byte) 0));

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS - 1);
    }

    @Test
    void aLengthThatPointsBehindTheEndIsRefusedEvenInTheLastWrite() throws IOException {
        crashInLastCommit(200);
        int header = (int) end(COMMITS - 1);
        change(bytes -> bytes[header + 5] ^= 0x10);

        assertRefused();
    }

    @Test
    void aHeaderOfZerosIsRefusedEvenInTheLastWrite() throws IOException {
        crashInLastCommit(200);
        int header = (int) end(COMMITS - 1);
        change(bytes -> Arrays.fill(bytes, header, header + 7, (byte) 0));

        assertRefused();
    }

    @Test
    void aHoleIsRefusedIfWhatFollowsKnowsThatItWasOnDisk() throws IOException {
        crashInLastCommit(200);
        change(bytes -> Arrays.fill(bytes, (int) end(COMMITS / 2), (int) end(COMMITS / 2 + 3), (byte) 0));

        assertRefused();
    }

    @Test
    void aWriteThatIsMissingBetweenOthersIsRefused() throws IOException {
        crashInLastCommit(200);
        long from = end(COMMITS / 2);
        long to = end(COMMITS / 2 + 1);
        byte[] bytes = Files.readAllBytes(log());
        System.arraycopy(bytes, (int) to, bytes, (int) from, (int) (bytes.length - to));
        Files.write(log(), Arrays.copyOf(bytes, (int) (bytes.length - to + from)));

        assertRefused();
    }

    @Test
    void whatIsBehindAHoleGoesWithItIfNothingOfItWasOnDisk() throws IOException {
        crashWithoutSync();
        change(bytes -> Arrays.fill(bytes, (int) end(COMMITS / 2), (int) end(COMMITS / 2 + 3), (byte) 0));

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS / 2);
    }

    @Test
    void whatWasCutOffStaysAwayWhenMoreIsWritten() throws IOException {
        crashInLastCommit(200);
        cutTo(end(COMMITS) - 1);
        try (var store = open(directory, Durability.STRICT)) {
            var partition = store.open(ONE, 1);
            assertThat(partition.commit(Committer.commit(COMMITS, 100))).isEqualTo(CommitResult.COMMITTED);
        }

        assertThat(commitsAfterOpening()).isEqualTo(COMMITS);
    }

    /** After the process has ended alone: all that was acknowledged is known to have been. */
    private void crash(int lastBytes) throws IOException {
        crash(Durability.STRICT, lastBytes);
    }

    /** After a loss of power in the last commit, or one so soon afterwards that nobody could be told of it. */
    private void crashInLastCommit(int lastBytes) throws IOException {
        crash(lastBytes);
        new Watermark(empty("watermark"), Watermark.read(directory) - 1).close();
        Files.copy(base.resolve("watermark").resolve(Watermark.FILE), replaced(directory.resolve(Watermark.FILE)));
    }

    /** After a loss of power with nothing synced since the start. */
    private void crashWithoutSync() throws IOException {
        background.execute(() -> {
            try {
                ended.await(); // So that the delayed syncs find no thread.
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        crash(Durability.RELAXED, 200);
    }

    private void crash(Durability durability, int lastBytes) throws IOException {
        directory = empty("crashed");
        var running = empty("running");
        try (var store = open(running, durability)) {
            var partition = store.open(ONE, 1);
            for (int i = 1; i <= COMMITS; i++) {
                assertThat(partition.commit(Committer.commit(i, i == COMMITS ? lastBytes : 200)))
                        .isEqualTo(CommitResult.COMMITTED);
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(running)) {
                for (Path file : files) {
                    Files.copy(file, directory.resolve(file.getFileName()));
                }
            }
        }
    }

    /** Where a commit ends in the log. */
    private long end(int commit) throws IOException {
        var ends = new ArrayList<Long>();
        new LogFile(log(), 0).read((head, end) -> ends.add(end));
        return ends.get(ends.size() - 1 - (COMMITS - commit));
    }

    private void change(Damage damage) throws IOException {
        byte[] bytes = Files.readAllBytes(log());
        damage.to(bytes);
        Files.write(log(), bytes);
    }

    private interface Damage {
        void to(byte[] bytes) throws IOException;
    }

    private void cutTo(long length) throws IOException {
        Files.write(log(), Arrays.copyOf(Files.readAllBytes(log()), (int) length));
    }

    private Path log() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.log")) {
            return files.iterator().next();
        }
    }

    private long commitsAfterOpening() {
        try (var store = open(directory, Durability.STRICT)) {
            var partition = store.open(ONE, 1);
            long commits = partition.lsn();
            for (long i = 1; i <= commits; i++) {
                assertThat(partition.get(Committer.key('K', i))).isNotNull();
                assertThat(partition.get(Committer.key('S', i))).isNotNull();
            }
            assertThat(partition.get(Committer.key('K', commits + 1))).isNull();
            return commits;
        }
    }

    private void assertRefused() throws IOException {
        var name = log().getFileName().toString();
        var before = Files.readAllBytes(log());
        assertThatThrownBy(() -> open(directory, Durability.STRICT).close())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining(name)
                .hasMessageContaining("Put back a copy");
        if (before.length > 0) {
            assertThat(Files.readAllBytes(log())).isEqualTo(before);
        }
    }

    private Path empty(String name) throws IOException {
        return Files.createDirectories(base.resolve(name));
    }

    private static Path replaced(Path file) throws IOException {
        Files.delete(file);
        return file;
    }

    private RocksDbStore open(Path path, Durability durability) {
        return new RocksDbStore(path, Committer.SETTINGS.withDurability(durability), background);
    }
}
