package dev.orrery.model.key;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The place of a partition key on the line that physical partitions divide: bytes, compared unsigned, a prefix before
 * its extensions, written in upper case hexadecimal. Clients compute the same places, so every bit is given.
 */
public final class EffectivePartitionKey implements Comparable<EffectivePartitionKey> {
    /** Where the line begins. */
    public static final EffectivePartitionKey MIN = new EffectivePartitionKey(new byte[0]);

    /** Where the line ends; no key is there. */
    public static final EffectivePartitionKey MAX = new EffectivePartitionKey(new byte[] {(byte) 0xff});

    /** The length of one hash. */
    static final int HASH_BYTES = 16;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    // The types of components, part of what is hashed and written.
    private static final int UNDEFINED = 0x00;
    private static final int NULL = 0x01;
    private static final int FALSE = 0x02;
    private static final int TRUE = 0x03;
    private static final int NUMBER = 0x05;
    private static final int STRING = 0x08;

    /** Behind a string that is hashed, so that ("a", "bc") and ("ab", "c") differ. */
    private static final byte STRING_END_V1 = 0x00;

    private static final byte STRING_END_V2 = (byte) 0xff;

    /** The first version looks at no more of a string than this many chars, and writes no more than these bytes. */
    private static final int STRING_CHARACTERS_MAX_V1 = 100;

    private static final int STRING_BYTES_MAX_V1 = 100;

    private final byte[] bytes;

    private EffectivePartitionKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The place of a key, or where the places of a group of keys begin. */
    public static EffectivePartitionKey of(PartitionKey key, PartitionKeyDefinition definition) {
        if (key.size() == 0) {
            return MIN;
        }
        return switch (definition.kind()) {
            case HASH -> definition.version() == 1 ? version1(key) : version2(key);
            case MULTI_HASH -> multiHash(key);
            case RANGE -> range(key);
        };
    }

    public static EffectivePartitionKey parse(String hex) {
        try {
            return new EffectivePartitionKey(HEX.parseHex(hex));
        } catch (IllegalArgumentException _) {
            throw new FailureException(
                    new Failure.BadRequest("An effective partition key must be an even number of hexadecimal digits."));
        }
    }

    /** The place that {@link #bytes} gave; the array must not be changed from now on. */
    public static EffectivePartitionKey ofBytes(byte[] bytes) {
        return new EffectivePartitionKey(bytes);
    }

    private static EffectivePartitionKey version2(PartitionKey key) {
        var hash = new byte[HASH_BYTES];
        hash2(key.components(), hash, 0);
        return new EffectivePartitionKey(hash);
    }

    private static EffectivePartitionKey multiHash(PartitionKey key) {
        var hashes = new byte[HASH_BYTES * key.size()];
        for (int i = 0; i < key.size(); i++) {
            hash2(key.components().subList(i, i + 1), hashes, i * HASH_BYTES);
        }
        return new EffectivePartitionKey(hashes);
    }

    private static void hash2(List<JsonValue> components, byte[] target, int start) {
        var input = hashInput(components, STRING_END_V2);
        Murmur3.hash128(input, input.length, target, start);
        target[start] &= 0x3f; // the line ends at 40.., which leaves room for FF as its end
    }

    private static EffectivePartitionKey version1(PartitionKey key) {
        var components =
                key.components().stream().map(EffectivePartitionKey::shortened).toList();
        var input = hashInput(components, STRING_END_V1);
        var place = new ByteArrayOutputStream();
        write((double) Integer.toUnsignedLong(Murmur3.hash32(input, input.length)), place);
        components.forEach(component -> write(component, place));
        return new EffectivePartitionKey(place.toByteArray());
    }

    private static EffectivePartitionKey range(PartitionKey key) {
        var place = new ByteArrayOutputStream();
        key.components().forEach(component -> write(component, place));
        return new EffectivePartitionKey(place.toByteArray());
    }

    private static JsonValue shortened(JsonValue component) {
        return component instanceof Str(String text) && text.length() > STRING_CHARACTERS_MAX_V1
                ? new Str(text.substring(0, STRING_CHARACTERS_MAX_V1))
                : component;
    }

    // What goes into the hash.

    private static byte[] hashInput(List<JsonValue> components, byte stringEnd) {
        if (components.size() == 1) {
            return hashInput(components.get(0), stringEnd);
        }
        var input = new ByteArrayOutputStream();
        components.forEach(component -> input.writeBytes(hashInput(component, stringEnd)));
        return input.toByteArray();
    }

    private static byte[] hashInput(JsonValue component, byte stringEnd) {
        return switch (component) {
            case Undefined _ -> new byte[] {UNDEFINED};
            case Null _ -> new byte[] {NULL};
            case Bool(boolean set) -> new byte[] {(byte) (set ? TRUE : FALSE)};
            case Num(double number, var _) -> {
                var input = new byte[1 + Long.BYTES];
                input[0] = NUMBER;
                long bits = Double.doubleToLongBits(number);
                for (int i = 1; i < input.length; i++) {
                    input[i] = (byte) bits;
                    bits >>>= Byte.SIZE;
                }
                yield input;
            }
            case Str(String text) -> {
                var utf8 = text.getBytes(StandardCharsets.UTF_8);
                var input = new byte[1 + utf8.length + 1];
                input[0] = STRING;
                System.arraycopy(utf8, 0, input, 1, utf8.length);
                input[input.length - 1] = stringEnd;
                yield input;
            }
            case Arr _, Obj _ -> throw new IllegalStateException("an array or object is no partition key");
        };
    }

    // What the first version, and a range, write as it is.

    private static void write(JsonValue component, ByteArrayOutputStream place) {
        switch (component) {
            case Undefined _ -> place.write(UNDEFINED);
            case Null _ -> place.write(NULL);
            case Bool(boolean set) -> place.write(set ? TRUE : FALSE);
            case Num(double number, var _) -> write(number, place);
            case Str(String text) -> write(text, place);
            case Arr _, Obj _ -> throw new IllegalStateException("an array or object is no partition key");
        }
    }

    private static void write(String text, ByteArrayOutputStream place) {
        var utf8 = text.getBytes(StandardCharsets.UTF_8);
        boolean whole = utf8.length <= STRING_BYTES_MAX_V1;
        int length = whole ? utf8.length : STRING_BYTES_MAX_V1 + 1;
        place.write(STRING);
        for (int i = 0; i < length; i++) {
            place.write(utf8[i] + 1); // UTF-8 has no byte FF, and zero is the end
        }
        if (whole) {
            place.write(0);
        }
    }

    /** The bits in an order that fits the numbers: eight of them, then groups of seven with a bit that says "more". */
    static void write(double number, ByteArrayOutputStream place) {
        long bits = Double.doubleToLongBits(number);
        long rest = bits < 0 ? -bits : bits ^ Long.MIN_VALUE;
        place.write(NUMBER);
        place.write((int) (rest >>> (Long.SIZE - Byte.SIZE)));
        rest <<= Byte.SIZE;
        do {
            int group = (int) (rest >>> (Long.SIZE - Byte.SIZE)) & 0xfe;
            rest <<= Byte.SIZE - 1;
            place.write(rest == 0 ? group : group | 1);
        } while (rest != 0);
    }

    /** The number that begins a place, as {@link #write(double, ByteArrayOutputStream)} has written it. */
    static double readNumber(byte[] place) {
        long ordered = (long) place[1] << (Long.SIZE - Byte.SIZE);
        int shift = Long.SIZE - Byte.SIZE;
        int at = 2;
        do {
            shift -= Byte.SIZE - 1;
            ordered |= (long) (place[at] >>> 1 & 0x7f) << shift;
        } while ((place[at++] & 1) != 0);
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : -ordered);
    }

    /** The bytes; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public String hex() {
        return HEX.formatHex(bytes);
    }

    @Override
    public int compareTo(EffectivePartitionKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EffectivePartitionKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return hex();
    }
}
