package dev.orrery.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of backups: each is whole or not there, wherever its making ended. */
class BackupFolderTest {
    private static final int PIECE_BYTES = 10;

    @TempDir
    private Path base;

    private final Map<String, byte[]> store = new TreeMap<>(Map.of(
            "000007.sst", bytes(95, 1), "000008.log", bytes(31, 2), "CURRENT", bytes(5, 3), "EMPTY", new byte[0]));
    private Path folder;
    private BackupFolder backups;
    private long day;

    @BeforeEach
    void makeFolder() {
        folder = base.resolve("backups");
        backups = new BackupFolder(folder);
    }

    @Test
    void aBackupHasAllFiles() throws IOException, InterruptedException {
        var added = backups.add(
                new Copy(Integer.MAX_VALUE), (done, all) -> assertThat(done).isLessThanOrEqualTo(all));

        assertThat(added.newFiles()).isEqualTo(store.size());
        assertThat(restored(added.name())).isEqualTo(texts());
    }

    @Test
    void whatIsThereAlreadyIsNotBroughtAgain() throws IOException, InterruptedException {
        var first = backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {});
        var before = texts();
        store.put("000008.log", bytes(40, 9));
        store.put("000009.sst", bytes(60, 5));
        day++;

        var second = backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {});

        assertThat(second.newFiles()).isEqualTo(2);
        assertThat(second.newBytes()).isEqualTo(100);
        assertThat(restored(first.name())).isEqualTo(before);
        assertThat(restored(second.name())).isEqualTo(texts());
    }

    @Test
    void aBackupThatIsBrokenOffAnywhereHarmsNoneAndTheNextOneIsWhole() throws IOException, InterruptedException {
        var first = backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {});
        var before = texts();
        day++;
        for (int pieces = 0; pieces < 11; pieces++) {
            store.put("000009.sst", bytes(60, 10 + pieces));
            store.put("000010.sst", bytes(45, 30 + pieces));
            var brokenOff = new Copy(pieces);
            assertThatThrownBy(() -> backups.add(brokenOff, (done, all) -> {})).isInstanceOf(IOException.class);

            assertThat(backups.lists()).containsOnlyKeys(first.name());
            assertThat(restored(first.name())).isEqualTo(before);
        }

        assertThat(restored(backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {})
                        .name()))
                .isEqualTo(texts());
    }

    @Test
    void aFileThatIsDamagedOnTheWayIsRefused() {
        var copy = new Copy(Integer.MAX_VALUE);
        store.put("000007.sst", bytes(95, 77));

        assertThatThrownBy(() -> backups.add(copy, (done, all) -> {})).hasMessageContaining("000007.sst");
        assertThat(folder).isDirectoryNotContaining("glob:**.backup");
    }

    @Test
    void aFileThatHasBeenDamagedSinceIsBroughtAgainAndIsNeverRestored() throws IOException, InterruptedException {
        var name = backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {}).name();
        try (var files = Files.newDirectoryStream(folder.resolve("files"), "*.sst")) {
            for (var file : files) {
                Files.write(file, bytes(95, 4));
            }
        }

        assertThat(backups.verify(backups.lists().get(name), (done, all) -> {}))
                .singleElement()
                .asString()
                .contains("000007.sst is damaged");
        assertThatThrownBy(() -> restored(name)).hasMessageContaining("damaged");
        day++;
        assertThat(backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {}).newFiles())
                .isOne();
        assertThat(restored(name)).isEqualTo(texts());
    }

    @Test
    void aDamagedListIsRefused() throws IOException, InterruptedException {
        var list = folder.resolve(
                backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {}).name() + ".backup");
        byte[] bytes = Files.readAllBytes(list);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            Files.write(list, damaged);
            assertThatThrownBy(backups::lists).isInstanceOf(BackupException.class);
        }
    }

    @Test
    void namesThatLeadElsewhereAreRefused() {
        store.put("../x", bytes(1, 1));
        assertThatThrownBy(() -> backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {}))
                .hasMessageContaining("no file of a store");
    }

    @Test
    void onlyTheLatestAreKept() throws IOException, InterruptedException {
        for (int i = 0; i < 4; i++) {
            store.put("000008.log", bytes(40, i));
            day++;
            backups.add(new Copy(Integer.MAX_VALUE), (done, all) -> {});
        }

        backups.keepLatest(2);

        assertThat(backups.lists()).hasSize(2);
        assertThat(restored(backups.lists().lastKey())).isEqualTo(texts());
        assertThat(restored(backups.lists().firstKey())).hasSameSizeAs(texts());
        try (var files = Files.list(folder.resolve("files"))) {
            assertThat(files).hasSize(store.size() + 1);
        }
    }

    private Map<String, String> restored(String name) throws IOException {
        var target = Files.createTempDirectory(base, "restored");
        backups.extract(backups.lists().get(name), target, (done, all) -> {});
        var texts = new TreeMap<String, String>();
        try (var files = Files.newDirectoryStream(target)) {
            for (var file : files) {
                texts.put(file.getFileName().toString(), Arrays.toString(Files.readAllBytes(file)));
            }
        }
        return texts;
    }

    private Map<String, String> texts() {
        var texts = new TreeMap<String, String>();
        store.forEach((name, bytes) -> texts.put(name, Arrays.toString(bytes)));
        return texts;
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + seed);
        }
        return bytes;
    }

    /** A server that is gone after some pieces. */
    private final class Copy implements BackupSource {
        private final BackupList list;
        private int piecesLeft;

        Copy(int pieces) {
            piecesLeft = pieces;
            list = new BackupList(
                    Instant.parse("2026-01-01T00:00:00Z").plusSeconds(day * 86_400),
                    store.entrySet().stream()
                            .map(file -> new BackupFile(file.getKey(), file.getValue().length, sum(file.getValue())))
                            .toList());
        }

        @Override
        public BackupList list() {
            return list;
        }

        @Override
        public byte[] read(BackupFile file, long from) throws IOException {
            if (piecesLeft-- == 0) {
                throw new IOException("The connection is gone");
            }
            byte[] bytes = store.get(file.name());
            return Arrays.copyOfRange(bytes, (int) from, (int) Math.min(bytes.length, from + PIECE_BYTES));
        }

        private static int sum(byte[] bytes) {
            var sum = new CRC32C();
            sum.update(bytes);
            return (int) sum.getValue();
        }
    }
}
