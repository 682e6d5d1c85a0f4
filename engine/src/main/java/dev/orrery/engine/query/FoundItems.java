package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.Documents;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns documents that an index found into the keys of their items, in the order of keys. Documents come in the order of
 * clusters, which is that of keys, so that only those of one cluster have to be sorted.
 */
final class FoundItems implements AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final Documents documents;
    private final Container container;
    private final KeyRange range;
    private final Checkpoint checkpoint;
    private long clusterBytes;
    private List<byte[]> cluster = List.of();
    private int at = -1;
    private boolean ahead;
    private boolean begun;

    /** Of those in a range of keys. */
    FoundItems(Documents documents, Container container, KeyRange range, Checkpoint checkpoint) {
        this.documents = documents;
        this.container = container;
        this.range = range;
        this.checkpoint = checkpoint;
    }

    /** Goes to the next item; false when there is none. */
    boolean next() {
        at++;
        while (at >= cluster.size()) {
            if (!readCluster()) {
                return false;
            }
            at = 0;
        }
        return true;
    }

    /** How many there are from here on. */
    long count() {
        long count = 0;
        while (next()) {
            count++;
        }
        return count;
    }

    /** How many documents there are, wherever their items are. */
    static long count(Documents documents) {
        long count = 0;
        while (documents.next()) {
            count++;
        }
        return count;
    }

    byte[] key() {
        return cluster.get(at);
    }

    private boolean readCluster() {
        if (!begun) {
            begun = true;
            ahead = documents.next();
        }
        if (!ahead) {
            return false;
        }
        checkpoint.keep(-clusterBytes);
        clusterBytes = 0;
        var keys = new ArrayList<byte[]>();
        long number = DocumentKey.clusterOf(documents.number());
        do {
            var value = documents.value();
            var key = ItemKey.ofLocator(
                            value,
                            documents.locatorStart(),
                            value.length,
                            container.definition().partitionKey())
                    .bytes();
            if (range.contains(key)) {
                clusterBytes += KEY_BYTES + key.length;
                checkpoint.keep(KEY_BYTES + key.length);
                keys.add(key);
            }
            ahead = documents.next();
        } while (ahead && DocumentKey.clusterOf(documents.number()) == number);
        if (keys.size() > 1) {
            keys.sort(Arrays::compareUnsigned);
        }
        cluster = keys;
        return true;
    }

    @Override
    public void close() {
        checkpoint.keep(-clusterBytes);
        clusterBytes = 0;
        documents.close();
    }
}
