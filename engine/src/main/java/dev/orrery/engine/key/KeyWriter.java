package dev.orrery.engine.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes keys whose unsigned byte order is the order of what they stand for. */
final class KeyWriter {
    private byte[] bytes;
    private int length;

    KeyWriter(int bytesExpected) {
        bytes = new byte[Math.max(16, bytesExpected)];
    }

    KeyWriter writeByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
        return this;
    }

    KeyWriter writeInt(int value) {
        return writeByte(value >>> 24)
                .writeByte(value >>> 16)
                .writeByte(value >>> 8)
                .writeByte(value);
    }

    /** Not negative, or the order would break. */
    KeyWriter writeLong(long value) {
        return writeInt((int) (value >>> 32)).writeInt((int) value);
    }

    KeyWriter writeRaw(byte[] raw) {
        return writeRaw(raw, 0, raw.length);
    }

    KeyWriter writeRaw(byte[] raw, int from, int count) {
        reserve(count);
        System.arraycopy(raw, from, bytes, length, count);
        length += count;
        return this;
    }

    KeyWriter writeRaw(String text) {
        return writeRaw(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Bytes that something else follows, ended by {@code 00 00}. Without turning each 00 inside into 00 FF, ("a\0", "b")
     * and ("a", "\0b") would blur into each other, and bytes would no longer sort like values.
     */
    KeyWriter writeOrdered(byte[] part) {
        return writeEscaped(part).writeByte(0).writeByte(0);
    }

    /** The escaped bytes without their end: where a range over all values that begin so starts. */
    KeyWriter writeEscaped(byte[] part) {
        return writeEscaped(part, part.length);
    }

    KeyWriter writeEscaped(byte[] part, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            writeByte(part[i]);
            if (part[i] == 0) {
                writeByte(0xFF);
            }
        }
        return this;
    }

    /** Turns round the order of what was written from a position on. */
    KeyWriter invertFrom(int position) {
        for (int i = position; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return this;
    }

    int length() {
        return length;
    }

    byte[] toBytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private void reserve(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
        }
    }
}
