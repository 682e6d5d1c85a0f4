package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backup that was broken off has left is no obstacle to the next one, and takes no room. */
class BackupsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-18T09:00:00Z"));

    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
    private RocksDbStore store;

    @TempDir
    private Path data;

    @BeforeEach
    void open() {
        store = new RocksDbStore(data, RocksDbSettings.DEFAULT, background);
    }

    @AfterEach
    void close() {
        store.close();
        background.shutdownNow();
    }

    @Test
    void aStartRemovesWhatAKillInTheMidstOfAnyStepHasLeft() throws IOException {
        leave("backup");
        leave("backup.tmp");
        try (var backups = new Backups(Optional.of(store), Optional.of(data), CLOCK)) {
            assertThat(data.resolve("backup")).doesNotExist();
            assertThat(data.resolve("backup.tmp")).doesNotExist();
            assertThat(begin(backups)).isEqualTo(200);
        }
        assertThat(data.resolve("backup")).doesNotExist();
    }

    @Test
    void oneThatFailedOnItsWayDoesNotStopTheNext() throws IOException {
        try (var backups = new Backups(Optional.of(store), Optional.of(data), CLOCK)) {
            leave("backup");
            leave("backup.tmp");
            assertThat(begin(backups)).isEqualTo(200);
        }
    }

    private void leave(String name) throws IOException {
        Files.writeString(Files.createDirectory(data.resolve(name)).resolve("000001.sst"), "left");
    }

    private static int begin(Backups backups) {
        var client = InetSocketAddress.createUnresolved("client", 1);
        var headers = RequestHeaders.of(Map.of());
        return backups.answer(
                        new HttpRequest("POST", RunningServer.BACKUP_PATH, "", headers, new byte[0], false, client))
                .status();
    }
}
