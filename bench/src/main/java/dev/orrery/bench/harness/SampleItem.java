package dev.orrery.bench.harness;

import java.nio.charset.StandardCharsets;

/** The item that is read and created: 10 properties, 1 KB of JSON as a client sends it, an id of fixed length. */
public final class SampleItem {
    public static final int BYTES = 1024;

    /** Before the id; nowhere else in an item. */
    public static final String START = "{\"id\":\"";

    private static final String DIGITS = "0123456789abcdef";
    private static final int ID_LENGTH = 16;

    private SampleItem() {}

    public static String json(String id) {
        var start = START + id + "\","
                + "\"customer\":\"customer-004217\","
                + "\"category\":\"gear-surf-surfboards\","
                + "\"quantity\":12,"
                + "\"price\":850.25,"
                + "\"sale\":false,"
                + "\"created\":\"2026-03-14T15:09:26.535Z\","
                + "\"tags\":[\"blue\",\"long\",\"foam\"],"
                + "\"address\":{\"city\":\"Porto\",\"zip\":\"4000-322\",\"country\":\"PT\"},"
                + "\"description\":\"";
        var end = "\"}";
        return start + "a".repeat(BYTES - start.length() - end.length()) + end;
    }

    public static String id(long number) {
        var id = new byte[ID_LENGTH];
        writeId(number, id, 0);
        return new String(id, StandardCharsets.US_ASCII);
    }

    /** Of the item whose id is at a position of a text. */
    public static long number(String text, int position) {
        return Long.parseUnsignedLong(text, position, position + ID_LENGTH, 16);
    }

    public static void writeId(long number, byte[] target, int position) {
        for (int digit = 0; digit < ID_LENGTH; digit++) {
            int shift = 4 * (ID_LENGTH - 1 - digit);
            target[position + digit] = (byte) DIGITS.charAt((int) (number >>> shift) & 0xf);
        }
    }
}
