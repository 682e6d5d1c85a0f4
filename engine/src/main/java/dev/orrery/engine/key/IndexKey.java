package dev.orrery.engine.key;

import dev.orrery.model.json.JsonValue;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Keys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * An entry of an index: {@code tag | kind:1 | number:8 | what is looked for.. | document number:8 -> locator}, where the
 * number says which index it is and the locator is the {@linkplain ItemKey#locator end of the item's key}.
 *
 * <p>The document number comes last because SDKs need the ties of ORDER BY in the order of {@code _rid}.
 */
public final class IndexKey {
    /** Kinds are on disk: append only. */
    public enum Kind {
        /** {@code place | value}: one number, string, boolean or null of an item. */
        VALUE(0x01, 0),
        /** {@code paths and directions | values}: one entry for each item. */
        COMPOSITE(0x02, 0),
        /** {@code place and fields | values}: the fields of one element of an array. */
        TUPLE(0x03, 0),
        /** {@code outline}: one entry for each item. */
        OUTLINE(0x04, 0),
        /** {@code place | cell:8}: one of the cells that cover a shape. */
        CELL(0x05, 0),
        /** {@code place | term.. 00 00}: a word of a text; how often it is in the text stands before the locator. */
        TERM(0x06, 4),
        /** {@code place}: an item with a text there; how many words it has stands before the locator. */
        TEXT(0x07, 4),
        /** {@code place}: a vector; the length of the locator stands before it, the vector behind. */
        VECTOR(0x08, 2);

        private final int code;
        private final int locatorStart;

        Kind(int code, int locatorStart) {
            this.code = code;
            this.locatorStart = locatorStart;
        }

        static Kind of(byte[] key) {
            return Arrays.stream(values())
                    .filter(kind -> kind.code == key[1])
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("An index entry is of the unknown kind " + key[1]));
        }

        /** Where the locator begins in the value of an entry. */
        public int locatorStart() {
            return locatorStart;
        }
    }

    /** Where what is looked for begins. */
    public static final int TARGET_START = 10;

    private static final int DOCUMENT_BYTES = 8;

    private IndexKey() {}

    private static KeyWriter writer(Kind kind, long number, int bytesExpected) {
        return KeySpace.INDEX
                .writer(bytesExpected + TARGET_START + DOCUMENT_BYTES)
                .writeByte(kind.code)
                .writeLong(number);
    }

    public static byte[] value(long place, JsonValue value, long document) {
        var writer = writer(Kind.VALUE, place, 24);
        ValueBytes.write(value, writer);
        return writer.writeLong(document).toBytes();
    }

    /**
     * Several values as one, those of the descending ones in the opposite order. Ties go the way of the first value, as
     * they do in ORDER BY.
     */
    public static byte[] composite(long number, List<JsonValue> values, List<Boolean> descending, long document) {
        return writer(Kind.COMPOSITE, number, 24 * values.size())
                .writeRaw(compositeTarget(values, descending))
                .writeLong(descending.getFirst() ? ~document : document)
                .toBytes();
    }

    /** The target of an entry with these values, or how it begins. */
    public static byte[] compositeTarget(List<JsonValue> values, List<Boolean> descending) {
        var writer = new KeyWriter(24 * values.size());
        for (int i = 0; i < values.size(); i++) {
            int start = writer.length();
            ValueBytes.write(values.get(i), writer);
            if (descending.get(i)) {
                writer.invertFrom(start);
            }
        }
        return writer.toBytes();
    }

    /** Turns round the order of bytes none of which begins another. */
    public static byte[] inverted(byte[] bytes) {
        return new KeyWriter(bytes.length).writeRaw(bytes).invertFrom(0).toBytes();
    }

    public static byte[] tuple(long number, List<JsonValue> values, long document) {
        var writer = writer(Kind.TUPLE, number, 24 * values.size());
        values.forEach(value -> ValueBytes.write(value, writer));
        return writer.writeLong(document).toBytes();
    }

    /** The entries of all documents with an element that has these values. */
    public static KeyRange tupleTarget(long number, List<JsonValue> values) {
        var writer = writer(Kind.TUPLE, number, 24 * values.size());
        values.forEach(value -> ValueBytes.write(value, writer));
        return KeyRange.prefix(writer.toBytes());
    }

    public static byte[] outline(long outline, long document) {
        return writer(Kind.OUTLINE, outline, 0).writeLong(document).toBytes();
    }

    /** The entries of documents with an outline, from one number on (inclusive) up to another (exclusive). */
    public static KeyRange outlines(long outline, long from, long to) {
        return new KeyRange(outline(outline, from), outline(outline, to));
    }

    public static byte[] cell(long number, long cell, long document) {
        return writer(Kind.CELL, number, 8).writeLong(cell).writeLong(document).toBytes();
    }

    /** The entries of all cells from one to another, both inclusive. */
    public static KeyRange cells(long number, long first, long last) {
        return new KeyRange(
                writer(Kind.CELL, number, 8).writeLong(first).toBytes(),
                writer(Kind.CELL, number, 8).writeLong(last + 1).toBytes());
    }

    public static byte[] word(long number, String word, long document) {
        return wordWriter(number, word).writeLong(document).toBytes();
    }

    /** The entries of all documents with a word. */
    public static KeyRange words(long number, String word) {
        return KeyRange.prefix(wordWriter(number, word).toBytes());
    }

    private static KeyWriter wordWriter(long number, String word) {
        var bytes = word.getBytes(StandardCharsets.UTF_8);
        return writer(Kind.TERM, number, bytes.length + 2).writeOrdered(bytes);
    }

    public static byte[] text(long number, long document) {
        return writer(Kind.TEXT, number, 0).writeLong(document).toBytes();
    }

    public static byte[] vector(long number, long document) {
        return writer(Kind.VECTOR, number, 0).writeLong(document).toBytes();
    }

    /** All entries of an index. */
    public static KeyRange all(Kind kind, long number) {
        return KeyRange.prefix(writer(kind, number, 0).toBytes());
    }

    /** The entries whose target begins with some bytes. */
    public static KeyRange startingWith(Kind kind, long number, byte[] target) {
        return KeyRange.prefix(
                writer(kind, number, target.length).writeRaw(target).toBytes());
    }

    /** The entries from one target on (inclusive) up to another (exclusive). */
    public static KeyRange between(Kind kind, long number, byte[] from, byte[] to) {
        return new KeyRange(
                writer(kind, number, from.length).writeRaw(from).toBytes(),
                writer(kind, number, to.length).writeRaw(to).toBytes());
    }

    /** The first target behind all that begin with some bytes. */
    public static byte[] after(byte[] target) {
        return Keys.afterPrefix(target);
    }

    /** The key of the first entry of a document number or a later one, among those with the same target. */
    public static byte[] at(KeyRange target, long document) {
        return new KeyWriter(target.from().length + DOCUMENT_BYTES)
                .writeRaw(target.from())
                .writeLong(document)
                .toBytes();
    }

    /** How long what is looked for is. */
    public static int targetBytes(byte[] key) {
        return key.length - TARGET_START - DOCUMENT_BYTES;
    }

    public static long document(byte[] key, int length) {
        return new KeyReader(key, length - DOCUMENT_BYTES).readLong();
    }

    public static long document(byte[] key) {
        return document(key, key.length);
    }

    /** The entries of a range that are not before a key. */
    public static KeyRange from(KeyRange range, byte[] key) {
        return new KeyRange(later(range.from(), key), later(range.to(), key));
    }

    /** The entries of a range that are not behind those that begin with a key. */
    public static KeyRange upTo(KeyRange range, byte[] key) {
        var end = Keys.afterPrefix(key);
        return new KeyRange(earlier(range.from(), end), earlier(range.to(), end));
    }

    private static byte[] later(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) > 0 ? one : other;
    }

    private static byte[] earlier(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) < 0 ? one : other;
    }

    /** What is looked for, without the document number. */
    public static byte[] target(byte[] key) {
        return Arrays.copyOfRange(key, TARGET_START, key.length - DOCUMENT_BYTES);
    }

    /** The target at which a range of entries begins. */
    public static byte[] targetStart(byte[] from) {
        return Arrays.copyOfRange(from, TARGET_START, from.length);
    }

    /** Which index an entry is of. */
    public static long number(byte[] key) {
        return new KeyReader(key, 2).readLong();
    }

    public static Kind kind(byte[] key) {
        return Kind.of(key);
    }
}
