package dev.orrery.gateway.direct;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Writes a head: its first bytes, then tokens, then its length in front of them. */
final class TokenWriter {
    /** Length, status or types, and activity id. */
    static final int HEAD_START_BYTES = 24;

    private final ByteBuf out;
    private final int start;

    /**
     * Begins a head.
     *
     * @param kind the status of a reply; of a request, the resource type and above it the operation type
     */
    TokenWriter(ByteBuf out, int kind, UUID activityId) {
        this.out = out;
        this.start = out.writerIndex();
        out.writeIntLE(0).writeIntLE(kind);
        guid(activityId);
    }

    TokenWriter number(int id, TokenType type, long value) {
        begin(id, type);
        switch (type.width()) {
            case 1 -> out.writeByte((int) value);
            case 2 -> out.writeShortLE((int) value);
            case 4 -> out.writeIntLE((int) value);
            case 8 -> out.writeLongLE(value);
            default -> throw new IllegalArgumentException("not a type of numbers: " + type);
        }
        return this;
    }

    TokenWriter real(int id, double value) {
        begin(id, TokenType.DOUBLE);
        out.writeLongLE(Double.doubleToRawLongBits(value));
        return this;
    }

    /** A text or bytes; one that is too long for its type is left out, since a part of it would mean something else. */
    TokenWriter bytes(int id, TokenType type, byte[] value) {
        if (value.length > type.bytesMax()) {
            return this;
        }
        begin(id, type);
        switch (type.lengthWidth()) {
            case 1 -> out.writeByte(value.length);
            case 2 -> out.writeShortLE(value.length);
            case 4 -> out.writeIntLE(value.length);
            default -> throw new IllegalArgumentException("not a type of texts: " + type);
        }
        out.writeBytes(value);
        return this;
    }

    TokenWriter text(int id, TokenType type, String value) {
        return bytes(id, type, value.getBytes(StandardCharsets.UTF_8));
    }

    TokenWriter guid(int id, UUID value) {
        begin(id, TokenType.GUID);
        guid(value);
        return this;
    }

    /** Ends the head; a payload may follow. */
    void end() {
        out.setIntLE(start, out.writerIndex() - start);
    }

    private void begin(int id, TokenType type) {
        out.writeShortLE(id).writeByte(type.code());
    }

    private void guid(UUID id) {
        long high = id.getMostSignificantBits();
        out.writeIntLE((int) (high >>> 32))
                .writeShortLE((int) (high >>> 16))
                .writeShortLE((int) high)
                .writeLong(id.getLeastSignificantBits());
    }
}
