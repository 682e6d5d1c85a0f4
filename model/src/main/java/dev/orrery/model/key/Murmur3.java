package dev.orrery.model.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The two variants of the Murmur3 hash, seed 0, that place partition keys. */
final class Murmur3 {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int C1_32 = 0xcc9e2d51;
    private static final int C2_32 = 0x1b873593;
    private static final long C1_128 = 0x87c37b91114253d5L;
    private static final long C2_128 = 0x4cf5ad432745937fL;

    private Murmur3() {}

    /** The x86 variant of 32 bits over the first bytes of an array. */
    static int hash32(byte[] input, int length) {
        int hash = 0;
        int at = 0;
        for (; at + Integer.BYTES <= length; at += Integer.BYTES) {
            hash ^= mixed((int) INT.get(input, at));
            hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
        }
        hash ^= mixed((int) tail(input, at, length));
        return finished(hash ^ length);
    }

    private static int mixed(int word) {
        return Integer.rotateLeft(word * C1_32, 15) * C2_32;
    }

    private static int finished(int hash) {
        int mixed = hash;
        mixed = (mixed ^ (mixed >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }

    /**
     * The x64 variant of 128 bits over the first bytes of an array, written as 16 bytes: the second half, then the
     * first, both big-endian.
     */
    static void hash128(byte[] input, int length, byte[] target, int targetStart) {
        long low = 0;
        long high = 0;
        int at = 0;
        for (; at + 2 * Long.BYTES <= length; at += 2 * Long.BYTES) {
            low ^= mixedLow((long) LONG.get(input, at));
            low = (Long.rotateLeft(low, 27) + high) * 5 + 0x52dce729;
            high ^= mixedHigh((long) LONG.get(input, at + Long.BYTES));
            high = (Long.rotateLeft(high, 31) + low) * 5 + 0x38495ab5;
        }
        high ^= mixedHigh(tail(input, at + Long.BYTES, length));
        low ^= mixedLow(tail(input, at, Math.min(length, at + Long.BYTES)));
        low ^= length;
        high ^= length;
        low += high;
        high += low;
        low = finished(low);
        high = finished(high);
        low += high;
        high += low;
        LONG.set(target, targetStart, Long.reverseBytes(high));
        LONG.set(target, targetStart + Long.BYTES, Long.reverseBytes(low));
    }

    private static long mixedLow(long word) {
        return Long.rotateLeft(word * C1_128, 31) * C2_128;
    }

    private static long mixedHigh(long word) {
        return Long.rotateLeft(word * C2_128, 33) * C1_128;
    }

    private static long finished(long hash) {
        long mixed = hash;
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** The bytes that are left as a little-endian number; zero, which mixes to zero, when there are none. */
    private static long tail(byte[] input, int start, int end) {
        long word = 0;
        for (int at = end - 1; at >= start; at--) {
            word = word << Byte.SIZE | (input[at] & 0xff);
        }
        return word;
    }
}
