package dev.orrery.engine.item;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import dev.orrery.store.StoreException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Walks over the rows of a key space of a damaged store, and goes on behind what cannot be read. */
public final class TolerantScan {
    /** The end of a gap is looked for among keys that are a little longer than the last one before it, up to here. */
    private static final int PLACE_BYTES_MAX = 512;

    private static final int BYTES_MORE = 8;

    private final Snapshot snapshot;
    private final byte[] end;
    private byte[] place;

    public TolerantScan(Snapshot snapshot, KeySpace space) {
        this.snapshot = snapshot;
        this.place = space.start();
        this.end = space.end();
    }

    /**
     * Walks over all.
     *
     * @param row is told of the key and the value of each row that can be read
     * @param gap is told of the keys between which there may be others
     */
    public void run(BiConsumer<byte[], byte[]> row, Consumer<KeyRange> gap) {
        boolean more = true;
        while (more) {
            more = false;
            try (var cursor = snapshot.scan(new KeyRange(place, end), Direction.FORWARD)) {
                while (next(cursor)) {
                    place = Arrays.copyOf(cursor.key(), cursor.key().length + 1); // The first key behind it.
                    row.accept(cursor.key(), cursor.value());
                }
            } catch (Unreadable _) {
                byte[] start = place;
                place = behindDamage();
                gap.accept(new KeyRange(start, place));
                more = Arrays.compareUnsigned(place, end) < 0;
            }
        }
    }

    /** Only what the cursor itself cannot read: others have reasons of their own to fail. */
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(Throwable cause) {
            super(cause);
        }
    }

    private static boolean next(Cursor cursor) throws Unreadable {
        try {
            return cursor.next();
        } catch (StoreException unreadable) {
            throw new Unreadable(unreadable);
        }
    }

    /** Halves the keys ahead until the first is found from which a row, or the end, can be reached. */
    private byte[] behindDamage() {
        int bytes = Math.min(place.length + BYTES_MORE, PLACE_BYTES_MAX);
        var low = number(place, bytes);
        var last = number(end, bytes);
        var high = last;
        while (high.subtract(low).compareTo(BigInteger.ONE) > 0) {
            var middle = low.add(high).shiftRight(1);
            if (isReadable(key(middle, bytes))) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high.equals(last) ? end : key(high, bytes);
    }

    private boolean isReadable(byte[] key) {
        try (var cursor = snapshot.scan(new KeyRange(key, end), Direction.FORWARD)) {
            cursor.next();
            return true;
        } catch (StoreException unreadable) {
            return false;
        }
    }

    private static BigInteger number(byte[] key, int bytes) {
        return new BigInteger(1, Arrays.copyOf(key, bytes));
    }

    private static byte[] key(BigInteger number, int length) {
        var bytes = number.toByteArray();
        int skip = Math.max(0, bytes.length - length); // The sign.
        var key = new byte[length];
        System.arraycopy(bytes, skip, key, length - bytes.length + skip, bytes.length - skip);
        return key;
    }
}
