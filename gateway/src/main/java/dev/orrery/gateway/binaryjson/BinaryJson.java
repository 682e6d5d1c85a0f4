package dev.orrery.gateway.binaryjson;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonWriter;

/**
 * Turns Cosmos binary JSON into JSON text. A document is {@code 80 value}; no JSON text begins so. The first byte of a
 * value tells what it is and how it goes on:
 *
 * <pre>
 * 00..1F  the number itself
 * 20..C6  a string, see {@link BinaryStrings}
 * C7      number:8, unsigned
 * C8..CC  number:1 unsigned; number:2, 4, 8 signed; double:8
 * CD..CF  float:4, double:8, float:2
 * D0..D2  null, false, true
 * D3      GUID:16, of which the first three parts are little-endian; text in JSON
 * D7..DC  number:1 unsigned; number:1, 2, 4, 8 signed; number:4 unsigned
 * DD..DF  length:1, 2, 4  bytes; base64 in JSON
 * E0 E1   an array of none, of one value
 * E2..E4  length:1, 2, 4  values
 * E5..E7  length:1, 2, 4  count:1, 2, 4  values
 * E8..EF  objects in the same forms; each member is a string and a value
 * F0 F1   type  count:1, 2  numbers, which lack the first byte that is their type
 * F2 F3   F0 or F1  type  inner:1, 2  outer:1, 2  numbers of as many arrays as outer says, each with inner of them
 * </pre>
 *
 * Numbers and lengths are little-endian; a length is that of what follows the last number before the values. Bytes that
 * are not in the table are not in use. What the text may be is judged where all JSON text is judged.
 */
public final class BinaryJson {
    private static final byte PREAMBLE = (byte) 0x80;
    private static final int GUID_BYTES = 16;
    private static final int[] GUID_ORDER = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

    private final BinaryBytes in;
    private final JsonWriter out;
    private final BinaryStrings strings;

    private BinaryJson(byte[] document) {
        in = new BinaryBytes(document, 1);
        out = new JsonWriter(BinaryJson::demandRoom);
        strings = new BinaryStrings(in, out);
    }

    /** Strings may be said again by reference, so a small document can become a large text. */
    private static void demandRoom(int needed, int capacity) {
        if (needed > Limits.REQUEST_BYTES_MAX) {
            throw new FailureException(new Failure.TooLarge("The body of a request may have " + Limits.REQUEST_BYTES_MAX
                    + " bytes as text; this one, in binary JSON, has more."));
        }
    }

    public static boolean begins(byte[] body) {
        return body.length > 0 && body[0] == PREAMBLE;
    }

    /** The text of a body in either form; a body that is text already is handed back as it is. */
    public static byte[] text(byte[] body) {
        return begins(body) ? new BinaryJson(body).text() : body;
    }

    private byte[] text() {
        value(0);
        if (in.at() != in.size()) {
            throw in.malformed("there is something behind the end of the document");
        }
        return out.toBytes();
    }

    private void value(int depth) {
        int marker = in.next();
        if (marker < 0x20) {
            out.number(marker);
        } else if (BinaryStrings.isString(marker)) {
            strings.write(marker);
        } else if (marker < 0xD0) {
            number(marker);
        } else {
            switch (marker) {
                case 0xD0 -> out.raw("null");
                case 0xD1 -> out.raw("false");
                case 0xD2 -> out.raw("true");
                case 0xD3 -> guid();
                case 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC -> number(marker);
                case 0xDD, 0xDE, 0xDF -> strings.base64(in.unsigned(width(marker - 0xDD)));
                case 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7 ->
                    container("[", "]", marker - 0xE0, deeper(depth), this::value);
                case 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF ->
                    container("{", "}", marker - 0xE8, deeper(depth), this::member);
                case 0xF0, 0xF1 -> {
                    int type = in.next();
                    numbers(type, in.unsigned(width(marker - 0xF0)));
                }
                case 0xF2, 0xF3 -> rows(marker - 0xF2);
                default -> throw unknown(marker);
            }
        }
    }

    private int deeper(int depth) {
        if (depth == Limits.NESTING_DEPTH_MAX) {
            throw in.malformed("it is nested more than " + Limits.NESTING_DEPTH_MAX + " levels deep");
        }
        return depth + 1;
    }

    // ---- numbers ----

    private void number(int marker) {
        switch (marker) {
            case 0xC8, 0xD7 -> out.number(in.unsigned(1));
            case 0xD8 -> out.number(in.signed(1));
            case 0xC9, 0xD9 -> out.number(in.signed(2));
            case 0xCA, 0xDA -> out.number(in.signed(4));
            case 0xDC -> out.number(in.unsigned(4));
            case 0xCB, 0xDB -> out.number(in.signed(8));
            case 0xC7 -> out.raw(Long.toUnsignedString(in.signed(8)));
            case 0xCC, 0xCE -> real(Double.longBitsToDouble(in.signed(8)));
            case 0xCD -> real(Float.intBitsToFloat((int) in.signed(4)));
            case 0xCF -> real(Float.float16ToFloat((short) in.signed(2)));
            default -> throw unknown(marker);
        }
    }

    private void real(double number) {
        if (!Double.isFinite(number)) {
            throw in.malformed("JSON has no number " + number);
        }
        out.number(number);
    }

    // ---- arrays and objects ----

    /** How one value of an array, or one member of an object, is read. */
    private interface Entry {
        void read(int depth);
    }

    private void member(int depth) {
        int marker = in.next();
        if (!BinaryStrings.isString(marker)) {
            throw in.malformed("the name of a member is not a string");
        }
        strings.write(marker);
        out.raw(":");
        value(depth);
    }

    /** @param form which of the eight forms that arrays and objects have in common */
    private void container(String opening, String closing, int form, int depth, Entry entry) {
        out.raw(opening);
        switch (form) {
            case 0 -> {}
            case 1 -> entry.read(depth);
            default -> entries(form, depth, entry);
        }
        out.raw(closing);
    }

    private void entries(int form, int depth, Entry entry) {
        int width = width((form - 2) % 3);
        long length = in.unsigned(width);
        long counted = form < 5 ? -1 : in.unsigned(width);
        long end = in.at() + length;
        if (end > in.size()) {
            throw in.malformed("an array or object is longer than the document");
        }
        long count = 0;
        for (; in.at() < end; count++) {
            if (count > 0) {
                out.raw(",");
            }
            entry.read(depth);
        }
        if (in.at() != end || (counted >= 0 && counted != count)) {
            throw in.malformed("an array or object does not have the length or the count that it says");
        }
    }

    private void numbers(int type, long count) {
        out.raw("[");
        for (long i = 0; i < count; i++) {
            if (i > 0) {
                out.raw(",");
            }
            number(type);
        }
        out.raw("]");
    }

    /** @param form 0 for counts of one byte, 1 for counts of two */
    private void rows(int form) {
        if (in.next() != 0xF0 + form) {
            throw in.malformed("the arrays in an array of arrays are not arrays of numbers");
        }
        int type = in.next();
        long inner = in.unsigned(width(form));
        long outer = in.unsigned(width(form));
        out.raw("[");
        for (long i = 0; i < outer; i++) {
            if (i > 0) {
                out.raw(",");
            }
            numbers(type, inner);
        }
        out.raw("]");
    }

    // ---- what is shared ----

    private void guid() {
        int start = in.skip(GUID_BYTES);
        var ordered = new byte[GUID_BYTES];
        for (int i = 0; i < GUID_BYTES; i++) {
            ordered[i] = in.array()[start + GUID_ORDER[i]];
        }
        out.string(BinaryStrings.guid(ordered, false));
    }

    /** Forms follow each other by the width of their lengths. */
    private static int width(int form) {
        return 1 << form;
    }

    private FailureException unknown(int marker) {
        return in.malformed("no value begins with the byte %02X, not here".formatted(marker));
    }
}
