package dev.orrery.gateway.direct;

/**
 * How the value of a token is written: {@code id:2 | type:1 | value}, numbers little-endian. A value has a fixed width,
 * or its length stands before it.
 */
enum TokenType {
    BYTE(0x00, 1, 0),
    USHORT(0x01, 2, 0),
    ULONG(0x02, 4, 0),
    LONG(0x03, 4, 0),
    ULONG_LONG(0x04, 8, 0),
    LONG_LONG(0x05, 8, 0),
    GUID(0x06, 16, 0),
    SMALL_STRING(0x07, 0, 1),
    STRING(0x08, 0, 2),
    ULONG_STRING(0x09, 0, 4),
    SMALL_BYTES(0x0a, 0, 1),
    BYTES(0x0b, 0, 2),
    ULONG_BYTES(0x0c, 0, 4),
    FLOAT(0x0d, 4, 0),
    DOUBLE(0x0e, 8, 0);

    private static final TokenType[] BY_CODE = values();

    private final int code;
    private final int width;
    private final int lengthWidth;

    TokenType(int code, int width, int lengthWidth) {
        this.code = code;
        this.width = width;
        this.lengthWidth = lengthWidth;
    }

    static TokenType of(int code) throws BadFrameException {
        if (code >= BY_CODE.length) {
            throw new BadFrameException("a token has the unknown type " + code);
        }
        return BY_CODE[code];
    }

    int code() {
        return code;
    }

    /** Bytes of a value; 0 where its length stands before it. */
    int width() {
        return width;
    }

    /** Bytes of the length before a value; 0 where all values are equally wide. */
    int lengthWidth() {
        return lengthWidth;
    }

    /** The longest value. */
    int bytesMax() {
        return switch (lengthWidth) {
            case 0 -> width;
            case 1 -> 0xff;
            case 2 -> 0xffff;
            default -> Integer.MAX_VALUE;
        };
    }
}
