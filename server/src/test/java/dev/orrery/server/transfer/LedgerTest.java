package dev.orrery.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The books of an import, and what is kept of them. */
class LedgerTest {
    @TempDir
    Path folder;

    private static final Checkpoint START = Checkpoint.start("d/c", List.of("a.csv"), "run");

    private static void open(Ledger ledger, long... records) {
        for (long record : records) {
            ledger.open(record, 1L << record, 10);
        }
    }

    @Test
    void onlyWhatHasNoGapBeforeItIsAcknowledged() {
        var ledger = new Ledger(START);
        open(ledger, 1, 2, 3);
        ledger.imported(3);
        ledger.imported(2);
        assertThat(ledger.checkpoint().acknowledged()).isZero();
        ledger.skipped(1);
        assertThat(ledger.checkpoint().acknowledged()).isEqualTo(3);
        assertThat(ledger.checkpoint().imported()).isEqualTo(2);
        assertThat(ledger.checkpoint().skipped()).isEqualTo(1);
    }

    @Test
    void failedRecordsAreKeptUntilTheyArriveLater() throws Exception {
        var first = new Ledger(START);
        open(first, 1, 2, 3);
        first.imported(1);
        first.failed(2);
        first.imported(3);
        var between = first.checkpoint();
        assertThat(between.failed()).containsExactly(2L);
        assertThat(between.digest()).isEqualTo(1L << 1 | 1L << 3);

        var second = new Ledger(between);
        open(second, 2, 4);
        assertThat(second.awaitSettled(0)).isFalse();
        second.imported(2);
        second.imported(4);
        assertThat(second.awaitSettled(0)).isTrue();
        assertThat(second.checkpoint().failed()).isEmpty();
        assertThat(second.checkpoint().acknowledged()).isEqualTo(4);
        assertThat(second.checkpoint().digest()).isEqualTo(1L << 1 | 1L << 2 | 1L << 3 | 1L << 4);
    }

    @Test
    void thereIsRoomForAWindowOfRecordsBehindTheOldest() throws Exception {
        var ledger = new Ledger(START);
        for (long record = 1; record <= Ledger.WINDOW_RECORDS; record++) {
            assertThat(ledger.awaitRoom(0)).isTrue();
            ledger.open(record, 0, 10);
        }
        ledger.imported(2);
        assertThat(ledger.awaitRoom(0)).isFalse();
        ledger.imported(1);
        assertThat(ledger.awaitRoom(0)).isTrue();
    }

    @Test
    void thereIsRoomForSoManyBytes() throws Exception {
        var ledger = new Ledger(START);
        ledger.open(1, 0, 70_000_000);
        assertThat(ledger.awaitRoom(0)).isFalse();
        ledger.failed(1);
        assertThat(ledger.awaitRoom(0)).isTrue();
    }

    @Test
    void aCheckpointIsReadBackAsItWas() throws IOException {
        var ledger = new Ledger(START);
        ledger.open(1, 0xfedcba9876543210L, 1);
        ledger.open(2, 0, 1);
        ledger.imported(1);
        ledger.failed(2);
        var file = folder.resolve("a.csv.orrery-import");
        ledger.checkpoint().save(file);
        assertThat(Checkpoint.load(file)).contains(ledger.checkpoint());
        assertThat(Checkpoint.load(folder.resolve("none"))).isEmpty();
        Files.writeString(file, "{\"version\":99}");
        assertThatThrownBy(() -> Checkpoint.load(file)).hasMessageContaining("not a checkpoint");
    }
}
