package dev.orrery.model.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks at eight bytes of text at once: a mark is the high bit of a byte that was found.
 *
 * <p>A borrow can mark a byte wrongly, but only above a byte that is marked rightly: only the first mark is to be used.
 */
final class EightBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private EightBytes() {}

    static long at(byte[] text, int at) {
        return (long) LONG.get(text, at);
    }

    static long quotesAndBackslashes(long eight) {
        return (zeros(eight ^ (ONES * '"')) | zeros(eight ^ (ONES * '\\'))) & HIGH_BITS;
    }

    /** What does not simply stand for itself in a string: quotes, backslashes, controls, and what is not ASCII. */
    static long special(long eight) {
        return quotesAndBackslashes(eight) | (((eight - ONES * ' ') | eight) & HIGH_BITS);
    }

    private static long zeros(long eight) {
        return (eight - ONES) & ~eight;
    }

    /** Which of the eight the first mark is on. */
    static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }
}
