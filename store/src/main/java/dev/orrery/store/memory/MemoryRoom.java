package dev.orrery.store.memory;

import dev.orrery.store.Condition;
import dev.orrery.store.WritesStoppedException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** How much memory the rows of a store may take, and how much they do. */
final class MemoryRoom {
    private static final long MEGABYTE = 1024 * 1024;

    /** What a row takes besides its bytes: two arrays, their places in a leaf, and a share of the branches above. */
    private static final int ROW_BYTES = 64;

    private final long bytesMax;
    private final AtomicLong bytesUsed = new AtomicLong();
    private volatile boolean full;

    MemoryRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** What a row takes; nothing if it is not there. */
    static long bytes(byte[] key, byte[] value) {
        return value == null ? 0 : ROW_BYTES + key.length + value.length;
    }

    /** Notes that the rows take so much more or less; what only takes less is never refused, and makes room. */
    void change(long bytes) {
        long used = bytesUsed.addAndGet(bytes);
        if (bytes > 0 && used > bytesMax) {
            bytesUsed.addAndGet(-bytes);
            full = true;
            throw new WritesStoppedException(words());
        }
        if (used < bytesMax - bytesMax / 16) {
            full = false;
        }
    }

    private String words() {
        return "The items and indexes take all of the " + bytesMax / MEGABYTE + " MB that --memory has for them;"
                + " delete some, raise -Xmx in ORRERY_JAVA_OPTS, or keep them on disk with --data";
    }

    Condition condition() {
        long used = bytesUsed.get();
        return new Condition(
                full ? Optional.of(words()) : Optional.empty(),
                used > bytesMax - bytesMax / 8
                        ? Optional.of("Of the " + bytesMax / MEGABYTE + " MB that --memory has for items and indexes, "
                                + (bytesMax - used) / MEGABYTE + " MB are left")
                        : Optional.empty(),
                OptionalLong.empty());
    }
}
