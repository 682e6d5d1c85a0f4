package dev.orrery.engine.partition;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A snapshot in which some items, and their index entries, cannot be seen. It does not own what it looks at. */
final class SnapshotWithout implements Snapshot {
    private final Snapshot all;
    private final Set<Long> documents;
    private final Set<ByteKey> items = new HashSet<>();

    /** @param documents numbers of the items to be left out; those that the snapshot does not have are none */
    SnapshotWithout(Snapshot all, Collection<Long> documents) {
        this.all = all;
        this.documents = Set.copyOf(documents);
        for (long number : documents) {
            var item = all.get(DocumentKey.encode(number));
            if (item != null) {
                items.add(new ByteKey(item));
            }
        }
    }

    private boolean hides(byte[] key) {
        if (documents.isEmpty()) {
            return false;
        }
        if (key[0] == KeySpace.ITEM.tag()) {
            return items.contains(new ByteKey(key));
        }
        if (key[0] == KeySpace.DOCUMENT.tag()) {
            return documents.contains(DocumentKey.decode(key));
        }
        if (key[0] == KeySpace.INDEX.tag()) {
            long number = IndexKey.document(key);
            // Composite indexes may have the numbers the other way round.
            return documents.contains(number) || documents.contains(~number);
        }
        return false;
    }

    @Override
    public long lsn() {
        return all.lsn();
    }

    @Override
    public byte[] get(byte[] key) {
        return hides(key) ? null : all.get(key);
    }

    @Override
    public List<byte[]> multiGet(List<byte[]> keys) {
        var values = new ArrayList<>(all.multiGet(keys));
        for (int i = 0; i < values.size(); i++) {
            if (hides(keys.get(i))) {
                values.set(i, null);
            }
        }
        return values;
    }

    @Override
    public Cursor scan(KeyRange range, Direction direction) {
        var cursor = all.scan(range, direction);
        return documents.isEmpty()
                ? cursor
                : new Cursor() {
                    @Override
                    public boolean next() {
                        while (cursor.next()) {
                            if (!hides(cursor.key())) {
                                return true;
                            }
                        }
                        return false;
                    }

                    @Override
                    public byte[] key() {
                        return cursor.key();
                    }

                    @Override
                    public byte[] value() {
                        return cursor.value();
                    }

                    @Override
                    public int key(byte[] buffer) {
                        return cursor.key(buffer);
                    }

                    @Override
                    public int value(byte[] buffer) {
                        return cursor.value(buffer);
                    }

                    @Override
                    public void seek(byte[] key) {
                        cursor.seek(key);
                    }

                    @Override
                    public void close() {
                        cursor.close();
                    }
                };
    }

    @Override
    public void close() {}
}
