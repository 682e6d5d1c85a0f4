package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Obj;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An item as it is stored: the text that a read gives back, and before it a table of the root members, with which a
 * property is found without parsing.
 *
 * <p>Layout, numbers little-endian, positions counted from the first byte of the text:
 *
 * <pre>
 * 01 | count:2 | count x (hash:2 | nameStart:2 | valueStart:2 | valueEnd:2) | text..     for texts below 64 KiB
 * 02 | count:4 | count x (hash:4 | nameStart:4 | valueStart:4 | valueEnd:4) | text..
 * </pre>
 *
 * The hash is that of {@link String#hashCode} of the unescaped name, folded to two bytes in the first form. Rows are in
 * the order of the text, repeated names included: the last one counts. The text ends where the stored bytes end.
 */
public final class ItemText {
    // Format bytes are on disk: append only, never renumber or reuse.
    private static final byte NARROW = 0x01;
    private static final byte WIDE = 0x02;

    private static final int NARROW_TEXT_MAX = 0xffff;
    private static final int NARROW_HEAD = 1 + Short.BYTES;
    private static final int NARROW_ROW = 4 * Short.BYTES;
    private static final int WIDE_HEAD = 1 + Integer.BYTES;
    private static final int WIDE_ROW = 4 * Integer.BYTES;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] stored;
    private final int start;
    private final int end;
    private final boolean narrow;
    private final int count;
    private final int textStart;

    private ItemText(byte[] stored, int start, int end) {
        this.stored = stored;
        this.start = start;
        this.end = end;
        narrow = switch (end - start < WIDE_HEAD ? 0 : stored[start]) {
            case NARROW -> true;
            case WIDE -> false;
            default -> throw new IllegalStateException("a stored item has an unknown format");
        };
        count = narrow ? (short) SHORT.get(stored, start + 1) & 0xffff : (int) INT.get(stored, start + 1);
        long table = narrow ? NARROW_HEAD + (long) count * NARROW_ROW : WIDE_HEAD + (long) count * WIDE_ROW;
        if (count < 0 || table >= end - start) {
            throw new IllegalStateException("a stored item is cut off");
        }
        textStart = start + (int) table;
    }

    /** Reads what {@link #encode} has written; the array must not be changed from now on. */
    public static ItemText decode(byte[] stored, int start, int end) {
        return new ItemText(stored, start, end);
    }

    /**
     * The item that a client has sent, with the system properties behind its own; what the client sent under their
     * names is dropped.
     */
    public static ItemText assemble(JsonScan client, SystemProperties system) {
        if (!client.isObject()) {
            throw new IllegalStateException("an item is an object");
        }
        var own = system.scan();
        return new Assembly(client, own).assemble(client, own);
    }

    /** The stored form. */
    public byte[] encode() {
        return Arrays.copyOfRange(stored, start, end);
    }

    public int encodedLength() {
        return end - start;
    }

    /** Writes the stored form and answers the position behind it. */
    public int encode(byte[] target, int at) {
        System.arraycopy(stored, start, target, at, encodedLength());
        return at + encodedLength();
    }

    /** The array that holds the text from {@link #textStart} on; not to be changed. */
    public byte[] array() {
        return stored;
    }

    public int textStart() {
        return textStart;
    }

    public int textLength() {
        return end - textStart;
    }

    /** The whole item, which stays text until someone looks inside. */
    public Obj asValue() {
        return new Obj(new ObjectText(stored, textStart, end) {
            @Override
            long find(String name) {
                return ItemText.this.find(name);
            }
        });
    }

    /** The value of a root property, undefined when there is none. */
    public JsonValue member(String name) {
        return value(find(name));
    }

    /** The value that a path leads to, undefined when there is nothing. */
    public JsonValue at(JsonPath path) {
        var names = path.names();
        long span = find(names.get(0));
        for (int i = 1; i < names.size() && span != JsonText.NONE; i++) {
            int objectStart = JsonText.spanStart(span);
            span = stored[objectStart] == '{' ? JsonText.find(stored, objectStart, names.get(i)) : JsonText.NONE;
        }
        return value(span);
    }

    private JsonValue value(long span) {
        return span == JsonText.NONE
                ? JsonValue.UNDEFINED
                : JsonText.value(stored, JsonText.spanStart(span), JsonText.spanEnd(span));
    }

    private long find(String name) {
        return narrow ? findNarrow(name) : findWide(name);
    }

    private long findNarrow(String name) {
        int hash = folded(name.hashCode());
        for (int at = textStart - NARROW_ROW; at > start; at -= NARROW_ROW) {
            long row = (long) LONG.get(stored, at);
            if ((row & 0xffff) == hash && isName(name, (int) (row >>> 16) & 0xffff)) {
                return span((int) (row >>> 32) & 0xffff, (int) (row >>> 48));
            }
        }
        return JsonText.NONE;
    }

    private long findWide(String name) {
        int hash = name.hashCode();
        for (int at = textStart - WIDE_ROW; at > start; at -= WIDE_ROW) {
            if ((int) INT.get(stored, at) == hash && isName(name, (int) INT.get(stored, at + 4))) {
                return span((int) INT.get(stored, at + 8), (int) INT.get(stored, at + 12));
            }
        }
        return JsonText.NONE;
    }

    private boolean isName(String name, int position) {
        int nameStart = textStart + position;
        return JsonText.nameEquals(stored, nameStart, JsonText.stringEnd(stored, nameStart), name);
    }

    private long span(int valueStart, int valueEnd) {
        return JsonText.span(textStart + valueStart, textStart + valueEnd);
    }

    private static int folded(int hash) {
        return (hash ^ (hash >>> 16)) & 0xffff;
    }

    private static ItemText encode(int[] rows, int count, JsonWriter text) {
        boolean narrow = text.size() <= NARROW_TEXT_MAX;
        int head = narrow ? NARROW_HEAD : WIDE_HEAD;
        int rowSize = narrow ? NARROW_ROW : WIDE_ROW;
        int textStart = head + count * rowSize;
        var stored = new byte[textStart + text.size()];
        if (narrow) {
            stored[0] = NARROW;
            SHORT.set(stored, 1, (short) count);
        } else {
            stored[0] = WIDE;
            INT.set(stored, 1, count);
        }
        for (int row = 0; row < count; row++) {
            int at = head + row * rowSize;
            int from = row * Assembly.ROW;
            for (int i = 0; i < Assembly.ROW; i++) {
                int number = narrow && i == 0 ? folded(rows[from]) : rows[from + i];
                if (narrow) {
                    SHORT.set(stored, at + i * Short.BYTES, (short) number);
                } else {
                    INT.set(stored, at + i * Integer.BYTES, number);
                }
            }
        }
        System.arraycopy(text.buffer(), 0, stored, textStart, text.size());
        return new ItemText(stored, 0, stored.length);
    }

    /** Puts the members of several objects into one text and notes where they come to be. */
    private static final class Assembly {
        /** Numbers kept for each member: hash of the name, start of the name, start and end of the value. */
        static final int ROW = 4;

        private final JsonWriter text;
        private final int[] rows;
        private int count;

        Assembly(JsonScan client, JsonScan system) {
            text = new JsonWriter(client.length() + system.length());
            rows = new int[(client.memberCount() + system.memberCount()) * ROW];
        }

        ItemText assemble(JsonScan client, JsonScan system) {
            text.raw("{");
            int previous = -1;
            for (int member = 0; member < client.memberCount(); member++) {
                if (!SystemProperties.isSystemName(client.text(), client.nameStart(member), client.nameEnd(member))) {
                    copy(client, member, previous);
                    previous = member;
                }
            }
            for (int member = 0; member < system.memberCount(); member++) {
                copy(system, member, member - 1);
            }
            text.raw("}");
            return encode(rows, count, text);
        }

        /** Copies a member, together with what stands between it and its neighbour if that was the last one copied. */
        private void copy(JsonScan from, int member, int previous) {
            boolean neighbours = previous >= 0 && previous == member - 1;
            if (!neighbours && count > 0) {
                text.raw(",");
            }
            int copyStart = neighbours ? from.valueEnd(previous) : from.nameStart(member) - 1;
            int shift = text.size() - copyStart;
            text.raw(from.text(), copyStart, from.valueEnd(member) - copyStart);
            int row = count * ROW;
            rows[row] = from.nameHash(member);
            rows[row + 1] = from.nameStart(member) + shift;
            rows[row + 2] = from.valueStart(member) + shift;
            rows[row + 3] = from.valueEnd(member) + shift;
            count++;
        }
    }
}
