package dev.orrery.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.memory.MemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CatalogRoomTest {
    private static final int LARGE = 100_000;

    private final MemoryStore store = new MemoryStore();

    @Test
    void whatDescribesTheAccountIsRefusedWhereItsMemoryEndsAndDeletesMakeRoom() {
        try (var catalog = open(1_000_000)) {
            int made = 0;
            while (made < 100 && put(catalog, made, LARGE)) {
                made++;
            }
            assertThat(made).isBetween(3, 10);
            int full = made;
            assertThatThrownBy(() -> catalog.change(edit -> {
                        edit.put(database(full, LARGE));
                        return null;
                    }))
                    .isInstanceOf(FailureException.class)
                    .hasMessageContaining("memory");
            assertThat(catalog.find(Rid.database(full + 1))).isEmpty();

            assertThat(put(catalog, 0, LARGE / 2)).as("what becomes smaller").isTrue();
            catalog.change(edit -> {
                edit.remove(edit.find(Rid.database(2)).orElseThrow());
                return null;
            });
            assertThat(put(catalog, full, LARGE)).isTrue();
        }
    }

    @Test
    void whatIsThereIsReadEvenByOneWithLessMemory() {
        try (var catalog = open(1_000_000)) {
            assertThat(put(catalog, 0, LARGE)).isTrue();
        }
        try (var catalog = open(1_000)) {
            assertThat(catalog.find(Rid.database(1))).isPresent();
            assertThat(put(catalog, 1, 10)).isFalse();
            assertThat(put(catalog, 0, LARGE - 1)).as("what becomes smaller").isTrue();
        }
    }

    private Catalog open(long bytesMax) {
        return Catalog.open(store, bytesMax, new WriteRight(), bytesMax);
    }

    private static boolean put(Catalog catalog, int number, int characters) {
        try {
            catalog.change(edit -> {
                edit.put(database(number, characters));
                return null;
            });
            return true;
        } catch (FailureException refused) {
            return false;
        }
    }

    private static Resource database(int number, int characters) {
        var json = "{\"id\":\"d%d\",\"_etag\":\"e\",\"_self\":\"s\",\"text\":\"%s\"}"
                .formatted(number, "x".repeat(characters));
        return new Resource(
                ResourceKind.DATABASE, Rid.database(number + 1), Optional.empty(), (Obj) JsonReader.parse(json));
    }
}
