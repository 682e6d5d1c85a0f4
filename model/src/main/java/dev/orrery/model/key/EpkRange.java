package dev.orrery.model.key;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A part of the line of effective partition keys.
 *
 * @param min the first place that belongs to it
 * @param max the first place behind it
 */
public record EpkRange(EffectivePartitionKey min, EffectivePartitionKey max) {
    public static final EpkRange ALL = new EpkRange(EffectivePartitionKey.MIN, EffectivePartitionKey.MAX);

    /** The largest hashes: 126 bits of the second version, 32 of the first. */
    private static final BigInteger HASH_MAX =
            BigInteger.TWO.pow(EffectivePartitionKey.HASH_BYTES * Byte.SIZE - 2).subtract(BigInteger.ONE);

    private static final BigInteger HASH_MAX_V1 =
            BigInteger.TWO.pow(Integer.SIZE).subtract(BigInteger.ONE);

    public static EpkRange parse(String min, String max) {
        return new EpkRange(EffectivePartitionKey.parse(min), EffectivePartitionKey.parse(max));
    }

    /** All keys that have the place itself, or begin with its components in a hierarchical key. */
    public static EpkRange startingWith(EffectivePartitionKey place) {
        var bytes = place.bytes();
        var end = Arrays.copyOf(bytes, bytes.length + 1);
        end[bytes.length] = (byte) 0xff;
        return new EpkRange(place, EffectivePartitionKey.ofBytes(end));
    }

    public boolean isEmpty() {
        return min.compareTo(max) >= 0;
    }

    public boolean contains(EffectivePartitionKey place) {
        return min.compareTo(place) <= 0 && place.compareTo(max) < 0;
    }

    public boolean overlaps(EpkRange other) {
        return !isEmpty() && !other.isEmpty() && min.compareTo(other.max) < 0 && other.min.compareTo(max) < 0;
    }

    public boolean contains(EpkRange other) {
        return min.compareTo(other.min) <= 0 && other.max.compareTo(max) <= 0;
    }

    /** Cuts the range into parts on which the keys of a container will be spread evenly. */
    public List<EpkRange> split(int parts, PartitionKeyDefinition definition) {
        boolean version1 = definition.kind() == PartitionKeyDefinition.Kind.HASH && definition.version() == 1;
        var low = min.equals(EffectivePartitionKey.MIN) ? BigInteger.ZERO : hash(min, version1);
        var high = max.equals(EffectivePartitionKey.MAX) ? (version1 ? HASH_MAX_V1 : HASH_MAX) : hash(max, version1);
        var width = high.subtract(low);
        var ranges = new ArrayList<EpkRange>(parts);
        var start = min;
        for (int part = 1; part <= parts; part++) {
            var cut = low.add(width.multiply(BigInteger.valueOf(part)).divide(BigInteger.valueOf(parts)));
            var end = part == parts ? max : place(cut, version1);
            var range = new EpkRange(start, end);
            if (range.isEmpty()) {
                throw new IllegalStateException("a range is too narrow to be split");
            }
            ranges.add(range);
            start = end;
        }
        return List.copyOf(ranges);
    }

    private static BigInteger hash(EffectivePartitionKey place, boolean version1) {
        return version1
                ? BigInteger.valueOf((long) EffectivePartitionKey.readNumber(place.bytes()))
                : new BigInteger(1, Arrays.copyOf(place.bytes(), EffectivePartitionKey.HASH_BYTES));
    }

    private static EffectivePartitionKey place(BigInteger hash, boolean version1) {
        if (version1) {
            var bytes = new ByteArrayOutputStream();
            EffectivePartitionKey.write(hash.doubleValue(), bytes);
            return EffectivePartitionKey.ofBytes(bytes.toByteArray());
        }
        var bytes = new byte[EffectivePartitionKey.HASH_BYTES];
        var digits = hash.toByteArray();
        System.arraycopy(digits, 0, bytes, bytes.length - digits.length, digits.length);
        return EffectivePartitionKey.ofBytes(bytes);
    }
}
