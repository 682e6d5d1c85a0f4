package dev.orrery.engine.index;

import dev.orrery.engine.key.IndexKey;
import dev.orrery.store.Cursor;
import dev.orrery.store.KeyRange;

/** The documents of one target of an index, read as they are needed. */
final class Postings implements Documents {
    /** Walking over a few entries is quicker than looking for one. */
    private static final int STEPS_BEFORE_SEEK = 8;

    private final Cursor cursor;
    private final KeyRange target;
    private final int locatorStart;
    private final long estimate;
    private byte[] key;
    private long entriesRead;

    /** The cursor goes over a part of the entries of the target, forward. */
    Postings(Cursor cursor, KeyRange target, int locatorStart, long estimate) {
        this.cursor = cursor;
        this.target = target;
        this.locatorStart = locatorStart;
        this.estimate = estimate;
    }

    @Override
    public boolean next() {
        if (!cursor.next()) {
            return false;
        }
        entriesRead++;
        key = cursor.key();
        return true;
    }

    @Override
    public boolean seek(long number) {
        for (int steps = 0; steps < STEPS_BEFORE_SEEK; steps++) {
            if (key != null && number() >= number) {
                return true;
            }
            if (!next()) {
                return false;
            }
        }
        if (number() < number) {
            cursor.seek(IndexKey.at(target, number));
            return next();
        }
        return true;
    }

    @Override
    public long number() {
        return IndexKey.document(key);
    }

    @Override
    public byte[] value() {
        return cursor.value();
    }

    @Override
    public int locatorStart() {
        return locatorStart;
    }

    @Override
    public long estimate() {
        return estimate;
    }

    @Override
    public long entriesRead() {
        return entriesRead;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
