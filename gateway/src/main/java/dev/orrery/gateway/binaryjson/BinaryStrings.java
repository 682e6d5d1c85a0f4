package dev.orrery.gateway.binaryjson;

import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The forms of a string in binary JSON, by their first byte:
 *
 * <pre>
 * 20..3F  one of the {@link SystemStrings}
 * 40..5F  one of the strings of a dictionary that client and server would have to share; there is none
 * 60..67  another of them, with one byte more
 * 71 72   base64 of bytes: quads:1, 2  padding:1  bytes; up to 2 is padding that is written, its complement such that is not
 * 73 74   the same in the alphabet for addresses
 * 75..77  GUID:16 in lower case, in upper case, in lower case between quotes that belong to the string
 * 78..7A  count:1  half bytes, the lower one first: digits 0-f, digits 0-F, and {@code " 0123456789:-.TZ"}
 * 7B..7D  count:1  first:1  codes of 4, 5, 6 bits, to which the code of the first character is added
 * 7E 7F   count:1, 2  codes of 7 bits
 * 80..BF  length in the byte itself, UTF-8
 * C0..C2  length:1, 2, 4  UTF-8
 * C3..C6  place:1, 2, 3, 4 of a string further up, counted from the beginning of the document
 * </pre>
 */
final class BinaryStrings {
    private static final byte[] LOWER_HEX = ascii("0123456789abcdef");
    private static final byte[] UPPER_HEX = ascii("0123456789ABCDEF");
    private static final byte[] DATES = ascii(" 0123456789:-.TZ");
    private static final int GUID_BYTES = 16;
    private static final int PADDING_MAX = 2;

    private final BinaryBytes in;
    private final JsonWriter out;

    BinaryStrings(BinaryBytes in, JsonWriter out) {
        this.in = in;
        this.out = out;
    }

    static boolean isString(int marker) {
        return marker >= 0x20 && marker < 0xC7;
    }

    /** Writes the string whose first byte has just been read. */
    void write(int marker) {
        if (marker < 0x40) {
            out.string(SystemStrings.at(marker - 0x20));
        } else if (marker < 0x68) {
            throw in.malformed("it refers to a dictionary of strings, which client and server do not share");
        } else if (marker >= 0x80 && marker < 0xC0) {
            plain(marker - 0x80);
        } else {
            switch (marker) {
                case 0x71, 0x72 -> base64(marker - 0x70, Base64.getEncoder());
                case 0x73, 0x74 -> base64(marker - 0x72, Base64.getUrlEncoder());
                case 0x75 -> out.string(guid(bytes(GUID_BYTES), false));
                case 0x76 -> out.string(guid(bytes(GUID_BYTES), true));
                case 0x77 -> out.string('"' + guid(bytes(GUID_BYTES), false) + '"');
                case 0x78 -> letters(LOWER_HEX);
                case 0x79 -> letters(UPPER_HEX);
                case 0x7A -> letters(DATES);
                case 0x7B, 0x7C, 0x7D -> above(marker - 0x77);
                case 0x7E, 0x7F -> characters(codes((int) in.unsigned(marker - 0x7D), 7));
                case 0xC0, 0xC1, 0xC2 -> plain(in.unsigned(1 << (marker - 0xC0)));
                case 0xC3, 0xC4, 0xC5, 0xC6 -> reference(in.unsigned(marker - 0xC2));
                default -> throw in.malformed("no string begins with the byte %02X".formatted(marker));
            }
        }
    }

    // ---- as UTF-8 ----

    private void plain(long length) {
        int start = in.skip(length);
        int end = in.at();
        if (isPlain(start, end)) {
            out.raw("\"").raw(in.array(), start, end - start).raw("\"");
        } else {
            out.string(decoded(start, end));
        }
    }

    /** Whether the bytes stand for themselves in JSON text. */
    private boolean isPlain(int start, int end) {
        for (int i = start; i < end; i++) {
            byte octet = in.array()[i];
            if (octet < ' ' || octet == '"' || octet == '\\' || octet == 0x7f) {
                return false;
            }
        }
        return true;
    }

    private String decoded(int start, int end) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.array(), start, end - start))
                    .toString();
        } catch (CharacterCodingException _) {
            throw in.malformed("a string is not UTF-8");
        }
    }

    /** What is referred to stands further up and is no reference itself, so there is an end to it. */
    private void reference(long place) {
        if (place < 1 || place >= in.at()) {
            throw in.malformed("a string refers to one that is not further up");
        }
        var target = in.from((int) place);
        int marker = target.next();
        if (!isString(marker) || marker >= 0xC3) {
            throw in.malformed("a string refers to something that is no string of its own");
        }
        new BinaryStrings(target, out).write(marker);
    }

    // ---- packed ----

    /** Bytes, which JSON can only tell as base64. */
    void base64(long length) {
        characters(Base64.getEncoder().encode(bytes(length)));
    }

    private void base64(int width, Base64.Encoder encoder) {
        long quads = in.unsigned(width);
        int padding = in.next();
        boolean isWritten = padding <= PADDING_MAX;
        int missing = isWritten ? padding : ~padding & 0xff;
        if (missing > PADDING_MAX || quads * 4 < missing) {
            throw in.malformed("a string in base64 has a padding that cannot be");
        }
        var text = encoder.encode(bytes((quads * 4 - missing) * 3 / 4));
        characters(isWritten ? text : Arrays.copyOf(text, text.length - missing));
    }

    static String guid(byte[] bytes, boolean upperCase) {
        var digits = (upperCase ? HexFormat.of().withUpperCase() : HexFormat.of()).formatHex(bytes);
        return String.join(
                "-",
                digits.substring(0, 8),
                digits.substring(8, 12),
                digits.substring(12, 16),
                digits.substring(16, 20),
                digits.substring(20));
    }

    private void letters(byte[] alphabet) {
        var codes = codes(in.next(), 4);
        for (int i = 0; i < codes.length; i++) {
            codes[i] = alphabet[codes[i]];
        }
        characters(codes);
    }

    private void above(int bits) {
        int count = in.next();
        int first = in.next();
        var codes = codes(count, bits);
        for (int i = 0; i < codes.length; i++) {
            codes[i] += (byte) first;
        }
        characters(codes);
    }

    /** Numbers of a few bits each, the first of them in the lowest bits of the first byte. */
    private byte[] codes(int count, int bits) {
        int start = in.skip(((long) count * bits + Byte.SIZE - 1) / Byte.SIZE);
        var codes = new byte[count];
        int left = 0;
        int window = 0;
        for (int i = 0, from = start; i < count; i++) {
            if (left < bits) {
                window |= (in.array()[from++] & 0xff) << left;
                left += Byte.SIZE;
            }
            codes[i] = (byte) (window & ((1 << bits) - 1));
            window >>>= bits;
            left -= bits;
        }
        return codes;
    }

    // ---- what is shared ----

    private byte[] bytes(long length) {
        int start = in.skip(length);
        return Arrays.copyOfRange(in.array(), start, in.at());
    }

    /** Bytes that are the codes of characters. */
    private void characters(byte[] codes) {
        out.string(new String(codes, StandardCharsets.ISO_8859_1));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
