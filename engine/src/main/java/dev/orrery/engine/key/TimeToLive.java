package dev.orrery.engine.key;

import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Num;
import java.util.Optional;

/**
 * When the items of a container end.
 *
 * @param defaultSeconds for items that have no time to live of their own; -1 for never, absent when nothing ends at all
 * @param start where an item says from which second on its time runs, instead of from its last write; an item that does
 *     not say it never ends
 */
public record TimeToLive(Optional<Integer> defaultSeconds, Optional<JsonPath> start) {
    /** No second beyond this fits a number of JSON without loss. */
    private static final double SECOND_MAX = 1L << 53;

    private static final int UNSAID = -1;

    public static TimeToLive of(ContainerDefinition container) {
        return new TimeToLive(container.defaultTtlSeconds(), container.ttlPropertyPath());
    }

    /** Hidden from that second on. */
    public boolean isOver(StoredItem item, long nowSecond) {
        long end = end(item);
        return end != 0 && end <= nowSecond;
    }

    public long end(StoredItem item) {
        return end(item.second(), item.ttlSeconds(), item.text());
    }

    /**
     * The second in which an item ends, 0 for never.
     *
     * @param second of its last write
     * @param ttlSeconds its own time to live, 0 when it has none
     */
    public long end(long second, int ttlSeconds, ItemText text) {
        if (defaultSeconds.isEmpty()) {
            return 0;
        }
        int effective = ttlSeconds != 0 ? ttlSeconds : defaultSeconds.get();
        if (effective <= 0) {
            return 0;
        }
        long from = start.isEmpty() ? second : said(start.get(), text);
        return from == UNSAID ? 0 : from + effective;
    }

    private static long said(JsonPath start, ItemText text) {
        return start.in(text.asValue()) instanceof Num(double second, var _) && second >= 0 && second <= SECOND_MAX
                ? (long) second
                : UNSAID;
    }
}
