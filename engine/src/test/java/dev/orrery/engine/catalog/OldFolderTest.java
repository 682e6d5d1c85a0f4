package dev.orrery.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder that the version before made: a database, a container and three items, one of which was deleted. */
class OldFolderTest {
    @TempDir
    private Path folder;

    @Test
    void itIsRefusedUntouchedAndToldWhatToDo() throws IOException {
        unpack();
        try (var timer = Executors.newSingleThreadScheduledExecutor()) {
            String before;
            try (var store = open(timer)) {
                before = rows(store);
                assertThat(before).contains(HexFormat.of().formatHex("\"pk\":\"p\"".getBytes(StandardCharsets.UTF_8)));

                assertThatThrownBy(() -> Catalog.open(store, 1))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("The data folder has format 1")
                        .hasMessageContaining("./orrery export")
                        .hasMessageContaining("./orrery import");
            }
            try (var store = open(timer)) {
                assertThat(rows(store)).isEqualTo(before);
            }
        }
    }

    private Store open(ScheduledExecutorService timer) {
        return new RocksDbStore(folder, RocksDbSettings.DEFAULT.withSeparateKeySpaces(KeySpace.scattered()), timer);
    }

    /** All rows, in words. */
    private static String rows(Store store) {
        var text = new StringBuilder();
        for (var id : store.partitions()) {
            try (var partition = store.open(id, 1)) {
                rows(partition)
                        .forEach((key, value) -> text.append(id)
                                .append(' ')
                                .append(key)
                                .append(' ')
                                .append(value)
                                .append('\n'));
            }
        }
        return text.toString();
    }

    private static Map<String, String> rows(PartitionStore partition) {
        var hex = HexFormat.of();
        var rows = new TreeMap<String, String>();
        try (var snapshot = partition.snapshot()) {
            for (var space : KeySpace.values()) {
                try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
                    while (cursor.next()) {
                        rows.put(hex.formatHex(cursor.key()), hex.formatHex(cursor.value()));
                    }
                }
            }
        }
        return rows;
    }

    private void unpack() throws IOException {
        try (var zip = new ZipInputStream(OldFolderTest.class.getResourceAsStream("folder-of-format-1.zip"))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, folder.resolve(entry.getName()));
            }
        }
    }
}
