package dev.orrery.gateway.binaryjson;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;

/** The bytes of a binary document and how far they have been read; nothing is read beyond their end. */
final class BinaryBytes {
    private final byte[] bytes;
    private int at;

    BinaryBytes(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    int at() {
        return at;
    }

    int size() {
        return bytes.length;
    }

    byte[] array() {
        return bytes;
    }

    /** The same bytes, read from another place on. */
    BinaryBytes from(int place) {
        return new BinaryBytes(bytes, place);
    }

    int next() {
        return bytes[skip(1)] & 0xff;
    }

    /** Steps over some bytes and answers where they begin. */
    int skip(long count) {
        if (count > bytes.length - at) {
            throw malformed("it ends within a value");
        }
        int start = at;
        at += (int) count;
        return start;
    }

    /** A little-endian number without a sign, of up to four bytes. */
    long unsigned(int width) {
        return little(width);
    }

    /** A little-endian number with a sign, of up to eight bytes. */
    long signed(int width) {
        int spare = Long.SIZE - width * Byte.SIZE;
        return little(width) << spare >> spare;
    }

    private long little(int width) {
        int start = skip(width);
        long number = 0;
        for (int i = width - 1; i >= 0; i--) {
            number = (number << Byte.SIZE) | (bytes[start + i] & 0xff);
        }
        return number;
    }

    FailureException malformed(String how) {
        return new FailureException(
                new Failure.BadRequest("The binary JSON is malformed at byte " + at + ": " + how + "."));
    }
}
