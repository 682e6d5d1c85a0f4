package dev.orrery.engine.key;

import java.util.Arrays;

/** Reads what {@link KeyWriter} wrote. */
final class KeyReader {
    private final byte[] bytes;
    private int position;

    KeyReader(byte[] bytes, int position) {
        this.bytes = bytes;
        this.position = position;
    }

    int position() {
        return position;
    }

    int readByte() {
        return bytes[position++] & 0xFF;
    }

    int readInt() {
        return readByte() << 24 | readByte() << 16 | readByte() << 8 | readByte();
    }

    long readLong() {
        return (long) readInt() << 32 | (readInt() & 0xFFFFFFFFL);
    }

    byte[] readOrdered() {
        int end = position;
        int escapes = 0;
        while (bytes[end] != 0 || bytes[end + 1] != 0) {
            if (bytes[end] == 0) {
                escapes++;
                end++;
            }
            end++;
        }
        var part = new byte[end - position - escapes];
        for (int from = position, to = 0; from < end; to++) {
            part[to] = bytes[from];
            from += bytes[from] == 0 ? 2 : 1;
        }
        position = end + 2;
        return part;
    }

    /** What {@link KeyWriter#writeEscaped} wrote, which may be cut off, up to an end or as far as it goes. */
    byte[] readEscaped() {
        var part = new KeyWriter(bytes.length - position);
        while (position < bytes.length) {
            if (bytes[position] == 0) {
                if (position + 1 == bytes.length || bytes[position + 1] == 0) {
                    break;
                }
                position++;
                part.writeByte(0);
            } else {
                part.writeByte(bytes[position]);
            }
            position++;
        }
        return part.toBytes();
    }

    byte[] readBytes(int length) {
        var part = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return part;
    }

    byte[] readRest() {
        var rest = Arrays.copyOfRange(bytes, position, bytes.length);
        position = bytes.length;
        return rest;
    }
}
