package dev.orrery.gateway.hybridrow;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Walks over bytes that nobody has checked yet: whatever they say, it never reads or allocates beyond their end. */
final class RowReader {
    /** First byte of every row: the version of the format. */
    static final byte VERSION = (byte) 0x81;

    /** A number of 63 bits has nine groups of seven; no honest length comes near. */
    private static final int VARUINT_BITS_MAX = 63;

    private final ByteBuffer bytes;

    RowReader(ByteBuffer bytes) {
        this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    int remaining() {
        return bytes.remaining();
    }

    /** Reads the version and the schema id that every row begins with. */
    int schemaId() {
        if (uint8("the version of a row") != (VERSION & 0xFF)) {
            throw bad("A row begins with a version other than 1.");
        }
        return int32("the schema id of a row");
    }

    int uint8(String what) {
        demand(Byte.BYTES, what);
        return bytes.get() & 0xFF;
    }

    int int32(String what) {
        demand(Integer.BYTES, what);
        return bytes.getInt();
    }

    /** The number of a field, or the length of what follows: seven bits a byte, the lowest first. */
    long varuint(String what) {
        long value = 0;
        for (int shift = 0; shift < VARUINT_BITS_MAX; shift += 7) {
            int next = uint8(what);
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw bad("The number for " + what + " never ends.");
    }

    /** The next so many bytes, not copied. */
    ByteBuffer take(long length, String what) {
        demand(length, what);
        var taken = bytes.slice(bytes.position(), (int) length);
        bytes.position(bytes.position() + (int) length);
        return taken;
    }

    byte[] binary(String what) {
        var taken = take(varuint(what), what);
        var copy = new byte[taken.remaining()];
        taken.get(copy);
        return copy;
    }

    void skip(String what) {
        take(varuint(what), what);
    }

    String utf8(String what) {
        return text(varuint(what), what);
    }

    String text(long length, String what) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(take(length, what))
                    .toString();
        } catch (CharacterCodingException _) {
            throw bad("The bytes of " + what + " are not UTF-8.");
        }
    }

    private void demand(long length, String what) {
        // The length comes from the bytes themselves, and may be negative.
        if (length < 0 || length > bytes.remaining()) {
            throw bad("It is cut short, or a length in it is wrong: " + what + " would take " + length + " bytes, "
                    + bytes.remaining() + " are left.");
        }
    }

    static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
