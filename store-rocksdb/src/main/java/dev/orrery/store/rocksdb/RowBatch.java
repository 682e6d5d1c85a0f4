package dev.orrery.store.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.rocksdb.WriteBatch;

/**
 * Changes of rows that go to the database in one piece. An item is some twenty rows, and to hand each of them to native
 * code costs more than to write down, here, the form that RocksDB gives a batch in its log:
 *
 * <pre>
 * batch  = sequence:8 | count:4 | record..   (little-endian; the sequence is set by RocksDB)
 * record = 05 | family | key | value         (put)
 *        | 04 | family | key                 (delete)
 *        | 0e | family | from | to           (delete range)
 * key, value, from, to = length | byte..     (family and lengths in groups of seven bits, the least first)
 * </pre>
 *
 * The first record of each is the {@link GroupMark}.
 */
final class RowBatch {

    /** What a row takes in a batch besides its key and its value, about. */
    static final int ROW_OVERHEAD_BYTES = 16;

    /** The mark is within these, from where a batch begins. */
    static final int HEAD_BYTES = 64;

    private static final byte DELETE = 0x04;
    private static final byte PUT = 0x05;
    private static final byte DELETE_RANGE = 0x0e;

    private static final int COUNT_AT = 8;
    private static final int HEADER_BYTES = COUNT_AT + 4;
    private static final int GROUP_BITS = 7;
    private static final int MARK_BYTES = 48; // With its key; a few more than it takes.

    /** What every batch begins with behind its header, up to the value of the mark. */
    private static final byte[] START = start();

    private final long number;
    private byte[] bytes;
    private int length = HEADER_BYTES;
    private int count;

    RowBatch(int bytesExpected, int family, GroupMark mark) {
        number = mark.number();
        bytes = new byte[HEADER_BYTES + MARK_BYTES + bytesExpected];
        put(family, GroupMark.PREFIX, GroupMark.key(), mark.encode());
    }

    boolean isEmpty() {
        return count == 1;
    }

    /** Of the group. */
    long number() {
        return number;
    }

    /** The mark of a batch in the log, from how it begins; empty if an earlier version of the program wrote it. */
    static Optional<GroupMark> mark(byte[] head) {
        int value = HEADER_BYTES + START.length;
        boolean marked = head.length >= value + GroupMark.BYTES
                && Arrays.equals(head, HEADER_BYTES, value, START, 0, START.length);
        return marked
                ? Optional.of(GroupMark.decode(Arrays.copyOfRange(head, value, value + GroupMark.BYTES)))
                : Optional.empty();
    }

    private static byte[] start() {
        var batch = new RowBatch(0, 0, GroupMark.NONE);
        return Arrays.copyOfRange(batch.bytes, HEADER_BYTES, batch.length - GroupMark.BYTES);
    }

    void put(int family, long partition, byte[] key, byte[] value) {
        begin(PUT, family);
        row(partition, key);
        number(value.length);
        raw(value);
    }

    void delete(int family, long partition, byte[] key) {
        begin(DELETE, family);
        row(partition, key);
    }

    void deleteRange(int family, long fromPartition, byte[] from, long toPartition, byte[] to) {
        begin(DELETE_RANGE, family);
        row(fromPartition, from);
        row(toPartition, to);
    }

    /** The batch for RocksDB; whoever asks for it closes it. */
    WriteBatch open() {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_AT, count);
        return new WriteBatch(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    private void begin(byte kind, int family) {
        reserve(1);
        bytes[length++] = kind;
        number(family);
        count++;
    }

    private void row(long partition, byte[] key) {
        number(Partition.PREFIX_BYTES + key.length);
        reserve(Partition.PREFIX_BYTES);
        Partition.putPrefix(partition, bytes, length);
        length += Partition.PREFIX_BYTES;
        raw(key);
    }

    private void raw(byte[] some) {
        reserve(some.length);
        System.arraycopy(some, 0, bytes, length, some.length);
        length += some.length;
    }

    private void number(int value) {
        reserve(Integer.SIZE / GROUP_BITS + 1);
        int rest = value;
        while (rest >= 1 << GROUP_BITS) {
            bytes[length++] = (byte) (rest | 1 << GROUP_BITS);
            rest >>>= GROUP_BITS;
        }
        bytes[length++] = (byte) rest;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.addExact(length, Math.max(length, more)));
        }
    }
}
