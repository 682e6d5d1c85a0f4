package dev.orrery.engine;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Store;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** All that is stored, in words that a failing test can print. */
final class StoredRows {
    private StoredRows() {}

    static Map<String, String> of(Store store) {
        var rows = new TreeMap<String, String>();
        store.partitions().forEach(id -> rows.putAll(of(store, id, KeySpace.values())));
        return rows;
    }

    static Map<String, String> of(Store store, PartitionId id, KeySpace... spaces) {
        var hex = HexFormat.of();
        var rows = new TreeMap<String, String>();
        try (var partition = store.open(id, 1);
                var snapshot = partition.snapshot()) {
            for (var space : spaces) {
                try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
                    while (cursor.next()) {
                        rows.put(
                                id.value() + " " + space + " " + hex.formatHex(cursor.key()),
                                hex.formatHex(cursor.value()));
                    }
                }
            }
        }
        return rows;
    }
}
