package dev.orrery.engine.item;

import dev.orrery.engine.key.StoredItem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a merge procedure is asked to settle.
 *
 * @param incoming the version that was written elsewhere; none when it was a delete
 * @param existing the version that is here of an item that was replaced or deleted there
 * @param isTombstone whether the item that was replaced there has been deleted here
 * @param others the items here that stand in its way: that of the same id, when it was created, and those with the same values
 *     in a unique key
 */
public record Conflict(
        Optional<StoredItem> incoming, Optional<StoredItem> existing, boolean isTombstone, List<StoredItem> others) {
    public Conflict {
        others = List.copyOf(others);
    }

    /** As the procedure is given it: a JSON array. */
    public String arguments() {
        return "[%s,%s,%s,[%s]]"
                .formatted(
                        text(incoming),
                        text(existing),
                        isTombstone,
                        others.stream().map(Conflict::text).collect(Collectors.joining(",")));
    }

    private static String text(Optional<StoredItem> item) {
        return item.map(Conflict::text).orElse("null");
    }

    private static String text(StoredItem item) {
        return StandardCharsets.UTF_8.decode(item.json()).toString();
    }
}
