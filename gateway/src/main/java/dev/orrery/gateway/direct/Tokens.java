package dev.orrery.gateway.direct;

import dev.orrery.model.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/** The tokens of one head, found by their ids. A value is read when somebody asks for it, by the type on the wire. */
final class Tokens {
    private static final int EXPECTED = 32;

    private final byte[] bytes;
    private final ByteBuffer head;
    private int[] ids = new int[EXPECTED];
    private int[] places = new int[EXPECTED];
    private int count;

    private Tokens(byte[] bytes) {
        this.bytes = bytes;
        this.head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads all that a head has after its first bytes. */
    static Tokens parse(byte[] bytes, int from) throws BadFrameException {
        var tokens = new Tokens(bytes);
        int at = from;
        while (at < bytes.length) {
            if (bytes.length - at < 3) {
                throw new BadFrameException("a token is cut off");
            }
            tokens.add(Short.toUnsignedInt(tokens.head.getShort(at)), at + 2);
            at += 2 + tokens.length(at + 2);
        }
        return tokens;
    }

    private void add(int id, int place) throws BadFrameException {
        if (count == Limits.DIRECT_TOKENS_MAX) {
            throw new BadFrameException("a head has more than " + Limits.DIRECT_TOKENS_MAX + " tokens");
        }
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
        }
        ids[count] = id;
        places[count++] = place;
    }

    /** Bytes from the type of a token to its end. */
    private int length(int place) throws BadFrameException {
        var type = TokenType.of(Byte.toUnsignedInt(head.get(place)));
        long end = place + 1L + type.lengthWidth();
        if (end <= head.limit()) {
            end += type.width() + valueLength(type, place);
            if (end <= head.limit()) {
                return (int) (end - place);
            }
        }
        throw new BadFrameException("a token runs past its head");
    }

    private long valueLength(TokenType type, int place) {
        return switch (type.lengthWidth()) {
            case 1 -> Byte.toUnsignedInt(head.get(place + 1));
            case 2 -> Short.toUnsignedInt(head.getShort(place + 1));
            case 4 -> Integer.toUnsignedLong(head.getInt(place + 1));
            default -> 0;
        };
    }

    private int find(int id) {
        for (int i = 0; i < count; i++) {
            if (ids[i] == id) {
                return places[i];
            }
        }
        return -1;
    }

    boolean has(int id) {
        return find(id) >= 0;
    }

    /** A token as the text of a header would say it: bytes as the text they hold, numbers in decimal. */
    Optional<String> text(int id) {
        int place = find(id);
        return place < 0 ? Optional.empty() : Optional.of(textAt(place));
    }

    private String textAt(int place) {
        var type = typeAt(place);
        int start = place + 1 + type.lengthWidth();
        return switch (type) {
            case SMALL_STRING, STRING, ULONG_STRING, SMALL_BYTES, BYTES, ULONG_BYTES ->
                new String(bytes, start, (int) valueLength(type, place), StandardCharsets.UTF_8);
            case GUID -> guid(start).toString();
            case FLOAT -> Float.toString(head.getFloat(start));
            case DOUBLE -> Double.toString(head.getDouble(start));
            case BYTE, USHORT, ULONG, LONG, ULONG_LONG, LONG_LONG -> Long.toString(number(type, start));
        };
    }

    Optional<Long> number(int id) {
        int place = find(id);
        if (place < 0) {
            return Optional.empty();
        }
        var type = typeAt(place);
        return switch (type) {
            case BYTE, USHORT, ULONG, LONG, ULONG_LONG, LONG_LONG -> Optional.of(number(type, place + 1));
            case GUID, SMALL_STRING, STRING, ULONG_STRING, SMALL_BYTES, BYTES, ULONG_BYTES, FLOAT, DOUBLE ->
                Optional.empty();
        };
    }

    private long number(TokenType type, int start) {
        return switch (type) {
            case BYTE -> Byte.toUnsignedInt(head.get(start));
            case USHORT -> Short.toUnsignedInt(head.getShort(start));
            case ULONG -> Integer.toUnsignedLong(head.getInt(start));
            case LONG -> head.getInt(start);
            default -> head.getLong(start);
        };
    }

    /** The bytes of a token; none where it is absent or holds a number. */
    byte[] bytes(int id) {
        int place = find(id);
        if (place < 0 || typeAt(place).lengthWidth() == 0) {
            return new byte[0];
        }
        var type = typeAt(place);
        int start = place + 1 + type.lengthWidth();
        return Arrays.copyOfRange(bytes, start, start + (int) valueLength(type, place));
    }

    private TokenType typeAt(int place) {
        try {
            return TokenType.of(Byte.toUnsignedInt(head.get(place)));
        } catch (BadFrameException impossible) {
            throw new IllegalStateException("the type was known when the head was read", impossible);
        }
    }

    private UUID guid(int at) {
        return guid(head, at);
    }

    /** The first three fields of a guid are little-endian, its last eight bytes are as they are written. */
    static UUID guid(ByteBuffer bytes, int at) {
        long high = Integer.toUnsignedLong(bytes.getInt(at)) << 32
                | (long) Short.toUnsignedInt(bytes.getShort(at + 4)) << 16
                | Short.toUnsignedInt(bytes.getShort(at + 6));
        return new UUID(high, Long.reverseBytes(bytes.getLong(at + 8)));
    }

    /** For logs and tests: ids in the order of the wire. */
    int[] ids() {
        return Arrays.copyOf(ids, count);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(HexFormat.of().toHexDigits((short) ids[i]))
                    .append('=')
                    .append(ids[i] == RequestToken.AUTHORIZATION.id() ? "…" : textAt(places[i]));
        }
        return text.toString();
    }
}
