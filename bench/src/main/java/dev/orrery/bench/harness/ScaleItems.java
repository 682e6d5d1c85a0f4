package dev.orrery.bench.harness;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Items of 1 KB of which a question finds the same number, however many there are: ten in each group, a hundred in each
 * bucket. What belongs together lies apart, because items come in another order than their ranks.
 */
public record ScaleItems(long count) {
    public static final int PER_GROUP = 10;
    public static final int PER_BUCKET = 100;
    private static final int PER_CUSTOMER = 100;

    /** A prime that divides no size, so that multiplying by it puts all numbers below the size in another order. */
    private static final long STRIDE = 7_368_787;

    public ScaleItems {
        if (count % PER_BUCKET != 0) {
            throw new BenchException("A size must be a multiple of " + PER_BUCKET + ", not " + count + ".");
        }
    }

    public String customer(long number) {
        return "customer-%08d".formatted(number / PER_CUSTOMER);
    }

    public long rank(long number) {
        return number * STRIDE % count;
    }

    public static String group(long rank) {
        return "group-%08d".formatted(rank / PER_GROUP);
    }

    public static long bucket(long rank) {
        return rank / PER_BUCKET;
    }

    public String json(long number) {
        var random = new SplittableRandom(number);
        long rank = rank(number);
        var start = "{\"id\":\"" + SampleItem.id(number) + "\","
                + "\"customer\":\"" + customer(number) + "\","
                + "\"group\":\"" + group(rank) + "\","
                + "\"bucket\":" + bucket(rank) + ","
                + "\"rank\":" + rank + ","
                + "\"price\":" + random.nextInt(100_000) / 100.0 + ","
                + "\"sale\":" + random.nextBoolean() + ","
                + "\"created\":\"2026-%02d-14T15:09:26.535Z\",".formatted(1 + random.nextInt(12))
                + "\"tags\":[\"blue\",\"long\",\"tag-" + random.nextInt(100) + "\"],"
                + "\"address\":{\"city\":\"city-" + random.nextInt(1_000) + "\",\"zip\":\"4000-322\"},"
                + "\"description\":\"";
        var end = "\"}";
        return start + words(SampleItem.BYTES - start.length() - end.length(), random) + end;
    }

    /** A store packs what it keeps: the same letter over and over would take no room at all. */
    private static String words(int length, SplittableRandom random) {
        var text = new StringBuilder(length + 8);
        while (text.length() < length) {
            for (int syllables = 1 + random.nextInt(3); syllables > 0; syllables--) {
                text.append("bcdfghklmnprstvw".charAt(random.nextInt(16))).append("aeiou".charAt(random.nextInt(5)));
            }
            text.append(' ');
        }
        return text.substring(0, length);
    }

    public long bytes() {
        return count * (SampleItem.BYTES + 1);
    }

    /** All of them, as a file with an item on each line would have them. */
    public InputStream lines() {
        return new InputStream() {
            private byte[] line = {};
            private int at;
            private long next;

            @Override
            public int read() {
                return isAtEnd() ? -1 : line[at++];
            }

            @Override
            public int read(byte[] target, int start, int length) {
                if (isAtEnd()) {
                    return -1;
                }
                int part = Math.min(length, line.length - at);
                System.arraycopy(line, at, target, start, part);
                at += part;
                return part;
            }

            private boolean isAtEnd() {
                if (at == line.length && next < count) {
                    line = (json(next++) + "\n").getBytes(StandardCharsets.US_ASCII);
                    at = 0;
                }
                return at == line.length;
            }
        };
    }
}
