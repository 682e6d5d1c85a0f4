package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.model.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Records that travel in one request; no item is among them twice, so that their order does not matter. */
final class Batch {
    /** Half of what a request may have: more gains nothing, and keeps a server's other clients waiting. */
    private static final int BYTES_MAX = Limits.BATCH_BYTES_MAX / 2;

    private final List<ItemRecord> records = new ArrayList<>();
    private final Set<Long> items = new HashSet<>();
    private int bytes;

    boolean accepts(ItemRecord record) {
        return records.isEmpty()
                || (records.size() < Limits.BATCH_OPERATIONS_MAX
                        && bytes + bytes(record) <= BYTES_MAX
                        && !items.contains(record.itemHash()));
    }

    void add(ItemRecord record) {
        records.add(record);
        items.add(record.itemHash());
        bytes += bytes(record);
    }

    boolean isFull() {
        return records.size() == Limits.BATCH_OPERATIONS_MAX;
    }

    List<ItemRecord> records() {
        return records;
    }

    private static int bytes(ItemRecord record) {
        return record.bytes() + ContainerClient.WRITE_OVERHEAD_BYTES;
    }

    /** Whether a record is too large to share a request. */
    static boolean mustTravelAlone(ItemRecord record) {
        return bytes(record) + 2 * Limits.PARTITION_KEY_BYTES_MAX > Limits.BATCH_BYTES_MAX;
    }
}
