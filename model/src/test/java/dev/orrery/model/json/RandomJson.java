package dev.orrery.model.json;

import java.util.random.RandomGenerator;

/** Makes random JSON texts: every kind of value, odd spellings, odd spaces, odd characters, repeated names. */
final class RandomJson {
    private static final String[] SPACES = {"", "", "", " ", "\n", "\t", "\r\n", "  "};
    private static final String[] NAMES = {
        "id", "a", "b", "name", "_ts", "_rid", "\\u0061", "\\u005frid", "", "é", "\\u00e9", "x y", "😀", "a\\\"b", "pk"
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "-1",
        "1.0",
        "1e0",
        "1E+2",
        "2e-7",
        "9007199254740993",
        "0.1",
        "123456789.125",
        "1e308",
        "4.9e-324",
        "1e-400",
        "123456789012345678901234567890",
        "-1.50",
        "100000000000000000000000e-5"
    };

    private final RandomGenerator random;

    RandomJson(RandomGenerator random) {
        this.random = random;
    }

    /** Any value, with space around it. */
    String text() {
        return space() + value(random.nextInt(6)) + space();
    }

    /** An object, with space around it. */
    String objectText() {
        return space() + object(random.nextInt(5)) + space();
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2 -> number();
            case 3, 4 -> string();
            case 5 -> array(depth);
            case 6 -> object(depth);
            default -> chain(random.nextInt(1, 60));
        };
    }

    private String number() {
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(-20, 20)));
            case 2 -> Long.toString(random.nextLong());
            default -> pick(NUMBERS);
        };
    }

    private String string() {
        var string = new StringBuilder("\"");
        int length = random.nextInt(4) == 0 ? random.nextInt(60) : random.nextInt(8);
        for (int i = 0; i < length; i++) {
            string.append(character());
        }
        return string.append('"').toString();
    }

    private String character() {
        return switch (random.nextInt(12)) {
            case 0 -> pick("\\n", "\\t", "\\r", "\\b", "\\f", "\\\"", "\\\\", "\\/");
            case 1 -> String.format("\\u%04x", random.nextInt(0xd800));
            case 2 -> String.format("\\uD8%02X\\uDc%02x", random.nextInt(256), random.nextInt(256));
            case 3 -> Character.toString(random.nextInt(0x80, 0x800));
            case 4 -> Character.toString(random.nextInt(0xe000, 0x10000));
            case 5 -> Character.toString(random.nextInt(0x10000, 0x110000));
            case 6 -> pick("{", "}", "[", "]", ",", ":", " ", "\u007f");
            default -> Character.toString(random.nextInt('a', 'z' + 1));
        };
    }

    private String array(int depth) {
        var array = new StringBuilder("[").append(space());
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
            array.append(i == 0 ? "" : "," + space()).append(value(depth - 1)).append(space());
        }
        return array.append(']').toString();
    }

    private String object(int depth) {
        var object = new StringBuilder("{").append(space());
        int size = random.nextInt(12) == 0 ? random.nextInt(40) : random.nextInt(6);
        for (int i = 0; i < size; i++) {
            object.append(i == 0 ? "" : "," + space())
                    .append(name())
                    .append(space())
                    .append(':');
            object.append(space()).append(value(depth - 1)).append(space());
        }
        return object.append('}').toString();
    }

    private String name() {
        return random.nextInt(3) == 0 ? string() : '"' + pick(NAMES) + '"';
    }

    /** Brackets around brackets. */
    private String chain(int depth) {
        return random.nextBoolean()
                ? "[".repeat(depth) + number() + "]".repeat(depth)
                : ("{" + name() + ":").repeat(depth) + string() + "}".repeat(depth);
    }

    private String space() {
        return pick(SPACES);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
