package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The writes of regions that were kept as conflicts for people to settle, as the catalog has them. */
final class KeptWrites {
    private static final String CREATE = "create";

    private final Catalog catalog;

    KeptWrites(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Whether a write goes on from one that was kept, of an item that only its region ever had: its create was kept. */
    boolean hasBaseOf(Container container, Tentative write) {
        long document = write.item().orElseThrow().document();
        var resourceId = new Str(Rid.document(container.rid(), document).toString());
        var kept = catalog.list(Optional.of(container.rid()), ResourceKind.CONFLICT).stream()
                .filter(conflict -> conflict.json().member("resourceId").equals(resourceId))
                .toList();
        return kept.stream()
                        .anyMatch(conflict ->
                                conflict.json().member("operationType").equals(new Str(CREATE)))
                && kept.stream().anyMatch(conflict -> etag(conflict).equals(write.base()));
    }

    /** Of the version that was kept; nothing for a delete. */
    private static Optional<String> etag(Resource conflict) {
        return conflict.json().member("content") instanceof Str(String text)
                        && !text.isEmpty()
                        && JsonReader.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Obj version
                        && version.member(SystemProperties.ETAG) instanceof Str(String etag)
                ? Optional.of(etag)
                : Optional.empty();
    }
}
