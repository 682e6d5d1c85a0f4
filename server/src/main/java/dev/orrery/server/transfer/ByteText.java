package dev.orrery.server.transfer;

import java.util.Arrays;

/** Bytes that are being put together. */
final class ByteText {
    private static final int SIZE_FIRST = 1024;
    private byte[] bytes = new byte[SIZE_FIRST];
    private int length;

    void append(int value) {
        demand(1);
        bytes[length++] = (byte) value;
    }

    void append(byte[] source, int start, int count) {
        demand(count);
        System.arraycopy(source, start, bytes, length, count);
        length += count;
    }

    private void demand(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    byte at(int position) {
        return bytes[position];
    }

    boolean isBlank() {
        for (int at = 0; at < length; at++) {
            if (bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r') {
                return false;
            }
        }
        return true;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** The buffer itself, of which {@link #length} bytes count. */
    byte[] array() {
        return bytes;
    }
}
