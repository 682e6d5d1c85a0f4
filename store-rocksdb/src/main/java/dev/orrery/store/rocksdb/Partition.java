package dev.orrery.store.rocksdb;

import dev.orrery.store.PartitionId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A partition's place among the rows, {@code number:8 | key}, and its guard; shared by all who opened it. */
final class Partition {

    static final int PREFIX_BYTES = 8;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final PartitionId id;

    /** As it is on disk. */
    private volatile Guard guard;

    /** As it will be on disk once the group that is being written is; only touched by the thread that writes. */
    private Guard staged;

    Partition(PartitionId id, Guard guard) {
        this.id = id;
        this.guard = guard;
        this.staged = guard;
    }

    /** Whether a write failed of which nobody knows yet if it took effect. */
    private volatile boolean inDoubt;

    PartitionId id() {
        return id;
    }

    Guard guard() {
        return guard;
    }

    Guard staged() {
        return staged;
    }

    void stage(Guard next) {
        staged = next;
    }

    void publish() {
        guard = staged;
    }

    void unstage() {
        staged = guard;
        inDoubt = true;
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    /** What is on disk after all; nobody writes meanwhile. */
    void settle(Guard found) {
        guard = found;
        staged = found;
        inDoubt = false;
    }

    byte[] row(byte[] key) {
        return row(id.value(), key);
    }

    /** The key of the guard's row. Keys are never empty, so it is nobody else's, and it is the partition's first. */
    static byte[] guardRow(PartitionId id) {
        return row(id.value(), new byte[0]);
    }

    /** Behind all rows of the partition. For the last partition this is above all positive numbers, as it should be. */
    static byte[] end(PartitionId id) {
        return row(id.value() + 1, new byte[0]);
    }

    static long number(byte[] row) {
        return ByteBuffer.wrap(row).getLong();
    }

    static int keyLength(int rowLength) {
        return rowLength - PREFIX_BYTES;
    }

    private static byte[] row(long number, byte[] key) {
        byte[] row = new byte[PREFIX_BYTES + key.length];
        putPrefix(number, row, 0);
        System.arraycopy(key, 0, row, PREFIX_BYTES, key.length);
        return row;
    }

    /** Writes what all rows of a partition begin with. */
    static void putPrefix(long number, byte[] target, int at) {
        BIG_ENDIAN.set(target, at, number);
    }
}
