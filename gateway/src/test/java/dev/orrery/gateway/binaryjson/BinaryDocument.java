package dev.orrery.gateway.binaryjson;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Writes binary JSON, from the layout and not with the server's code; of the forms that fit it takes any. */
final class BinaryDocument {
    private final RandomGenerator random;
    private final Map<String, Integer> places = new HashMap<>();

    private BinaryDocument(RandomGenerator random) {
        this.random = random;
    }

    static byte[] of(JsonValue value, RandomGenerator random) {
        var document = new BinaryDocument(random);
        // What lies in something whose head has no length yet cannot be referred to: its place is not known.
        return join(new byte[] {(byte) 0x80}, document.value(value, 1));
    }

    /** @param place where the value will stand, or -1 when that is not known */
    private byte[] value(JsonValue value, int place) {
        return switch (value) {
            case Undefined _ -> throw new IllegalStateException("undefined has no form");
            case Null _ -> marker(0xD0);
            case Bool(boolean set) -> marker(set ? 0xD2 : 0xD1);
            case Num(double number, var _) -> number(number);
            case Str(String text) -> isGuid(text) && random.nextBoolean() ? mixedGuid(text) : string(text, place);
            case Arr(var items) -> array(items, place);
            case Obj object -> object(object, place);
        };
    }

    // ---- numbers ----

    private byte[] number(double number) {
        var fitting = new ArrayList<byte[]>();
        fitting.add(join(marker(random.nextBoolean() ? 0xCC : 0xCE), little(Double.doubleToRawLongBits(number), 8)));
        if ((float) number == number) {
            fitting.add(join(marker(0xCD), little(Float.floatToRawIntBits((float) number), 4)));
        }
        if (Float.float16ToFloat(Float.floatToFloat16((float) number)) == number) {
            fitting.add(join(marker(0xCF), little(Float.floatToFloat16((float) number), 2)));
        }
        long whole = (long) number;
        if (whole == number && Math.abs(number) < (1L << 53) && Double.doubleToRawLongBits(number) != Long.MIN_VALUE) {
            whole(whole, fitting);
        }
        return fitting.get(random.nextInt(fitting.size()));
    }

    private void whole(long number, List<byte[]> fitting) {
        if (number >= 0 && number < 0x20) {
            fitting.add(marker((int) number));
        }
        if (number >= 0 && number <= 0xff) {
            fitting.add(join(marker(random.nextBoolean() ? 0xC8 : 0xD7), little(number, 1)));
        }
        if (number == (byte) number) {
            fitting.add(join(marker(0xD8), little(number, 1)));
        }
        if (number == (short) number) {
            fitting.add(join(marker(random.nextBoolean() ? 0xC9 : 0xD9), little(number, 2)));
        }
        if (number == (int) number) {
            fitting.add(join(marker(random.nextBoolean() ? 0xCA : 0xDA), little(number, 4)));
        }
        if (number >= 0 && number <= 0xffffffffL) {
            fitting.add(join(marker(0xDC), little(number, 4)));
        }
        if (number >= 0) {
            fitting.add(join(marker(0xC7), little(number, 8)));
        }
        fitting.add(join(marker(random.nextBoolean() ? 0xCB : 0xDB), little(number, 8)));
    }

    // ---- strings ----

    private byte[] string(String text, int place) {
        var fitting = new ArrayList<byte[]>();
        var utf8 = text.getBytes(StandardCharsets.UTF_8);
        for (int width : new int[] {1, 2, 4}) {
            if (width == 4 || utf8.length < (1 << (width * 8))) {
                fitting.add(join(marker(0xC0 + (width == 4 ? 2 : width - 1)), little(utf8.length, width), utf8));
            }
        }
        if (utf8.length < 64) {
            fitting.add(join(marker(0x80 + utf8.length), utf8));
        }
        for (int i = 0; i < 32; i++) {
            if (SystemStrings.at(i).equals(text)) {
                fitting.add(marker(0x20 + i));
            }
        }
        addReference(text, fitting);
        addPacked(text, utf8, fitting);
        addGuids(text, fitting);
        var chosen = fitting.get(random.nextInt(fitting.size()));
        boolean isReference = (chosen[0] & 0xff) >= 0xC3 && (chosen[0] & 0xff) <= 0xC6;
        if (place >= 0 && !isReference) {
            places.put(text, place);
        }
        return chosen;
    }

    private void addReference(String text, List<byte[]> fitting) {
        var known = places.get(text);
        if (known != null) {
            for (int width = 1; width <= 4; width++) {
                if (width == 4 || known < (1 << (width * 8))) {
                    fitting.add(join(marker(0xC2 + width), little(known, width)));
                }
            }
        }
    }

    private void addPacked(String text, byte[] utf8, List<byte[]> fitting) {
        int count = text.length();
        if (count < 256 && count > 0) {
            addLetters(0x78, "0123456789abcdef", text, fitting);
            addLetters(0x79, "0123456789ABCDEF", text, fitting);
            addLetters(0x7A, " 0123456789:-.TZ", text, fitting);
        }
        if (text.chars().allMatch(character -> character < 0x80) && count < 65_536) {
            if (count < 256) {
                fitting.add(join(marker(0x7E), little(count, 1), packed(utf8, 0, 7)));
                int first = text.chars().min().orElse(0);
                int span = text.chars().max().orElse(0) - first;
                for (int bits = 4; bits <= 6; bits++) {
                    if (span < (1 << bits)) {
                        fitting.add(join(
                                marker(0x77 + bits), little(count, 1), little(first, 1), packed(utf8, first, bits)));
                    }
                }
            }
            fitting.add(join(marker(0x7F), little(count, 2), packed(utf8, 0, 7)));
        }
        addBase64(text, Base64.getDecoder(), Base64.getEncoder(), 0x71, fitting);
        addBase64(text, Base64.getUrlDecoder(), Base64.getUrlEncoder(), 0x73, fitting);
    }

    private static void addLetters(int marker, String alphabet, String text, List<byte[]> fitting) {
        if (text.chars().allMatch(character -> alphabet.indexOf(character) >= 0)) {
            var codes = new byte[text.length()];
            for (int i = 0; i < codes.length; i++) {
                codes[i] = (byte) alphabet.indexOf(text.charAt(i));
            }
            fitting.add(join(marker(marker), little(codes.length, 1), packed(codes, 0, 4)));
        }
    }

    private void addBase64(
            String text, Base64.Decoder decoder, Base64.Encoder encoder, int marker, List<byte[]> fitting) {
        byte[] bytes;
        try {
            bytes = decoder.decode(text);
        } catch (IllegalArgumentException _) {
            return;
        }
        int missing = (3 - bytes.length % 3) % 3;
        int quads = (bytes.length + 2) / 3;
        int padding = text.equals(encoder.encodeToString(bytes))
                ? missing
                : text.equals(encoder.withoutPadding().encodeToString(bytes)) ? ~missing & 0xff : -1;
        if (padding >= 0 && quads < 256) {
            fitting.add(join(marker(marker), little(quads, 1), little(padding, 1), bytes));
        }
        if (padding >= 0) {
            fitting.add(join(marker(marker + 1), little(quads, 2), little(padding, 1), bytes));
        }
    }

    private static boolean isGuid(String text) {
        return text.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    private static void addGuids(String text, List<byte[]> fitting) {
        if (isGuid(text)) {
            fitting.add(join(marker(0x75), guid(text)));
        }
        if (!isGuid(text) && isGuid(text.toLowerCase(Locale.ROOT)) && text.equals(text.toUpperCase(Locale.ROOT))) {
            fitting.add(join(marker(0x76), guid(text)));
        }
        if (text.startsWith("\"") && text.endsWith("\"") && isGuid(text.replace("\"", ""))) {
            fitting.add(join(marker(0x77), guid(text)));
        }
    }

    /** A value, but no string: it cannot be a name. */
    private static byte[] mixedGuid(String text) {
        var bytes = guid(text);
        var mixed = new byte[bytes.length];
        int[] order = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
        for (int i = 0; i < mixed.length; i++) {
            mixed[order[i]] = bytes[i];
        }
        return join(marker(0xD3), mixed);
    }

    private static byte[] guid(String text) {
        return HexFormat.of().parseHex(text.replaceAll("[-\"]", ""));
    }

    private static byte[] packed(byte[] codes, int first, int bits) {
        var packed = new byte[(codes.length * bits + 7) / 8];
        for (int i = 0; i < codes.length * bits; i++) {
            if ((((codes[i / bits] - first) >> (i % bits)) & 1) == 1) {
                packed[i / 8] |= (byte) (1 << (i % 8));
            }
        }
        return packed;
    }

    // ---- arrays and objects ----

    private byte[] array(List<JsonValue> items, int place) {
        if (items.isEmpty() && random.nextBoolean()) {
            return marker(0xE0);
        }
        if (items.size() == 1 && random.nextBoolean()) {
            return join(marker(0xE1), value(items.getFirst(), behind(place, 1)));
        }
        return container(0xE0, items.size(), place, start -> {
            var body = new ByteArrayOutputStream();
            items.forEach(item -> body.writeBytes(value(item, behind(start, body.size()))));
            return body.toByteArray();
        });
    }

    private byte[] object(Obj object, int place) {
        var members = object.members();
        if (members.isEmpty() && random.nextBoolean()) {
            return marker(0xE8);
        }
        return container(0xE8, members.size(), place, start -> {
            var body = new ByteArrayOutputStream();
            members.forEach((name, value) -> {
                body.writeBytes(string(name, behind(start, body.size())));
                body.writeBytes(value(value, behind(start, body.size())));
            });
            return body.toByteArray();
        });
    }

    private interface Body {
        byte[] at(int place);
    }

    /** The widest lengths fit always and have a known size, so that what lies within has a known place. */
    private byte[] container(int base, int count, int place, Body body) {
        boolean counted = random.nextBoolean();
        if (place >= 0 && random.nextBoolean()) {
            var bytes = body.at(place + (counted ? 9 : 5));
            return join(
                    marker(base + (counted ? 7 : 4)),
                    little(bytes.length, 4),
                    counted ? little(count, 4) : new byte[0],
                    bytes);
        }
        var bytes = body.at(-1);
        int width = bytes.length < 256 ? 1 : bytes.length < 65_536 ? 2 : 4;
        int form = width == 4 ? 2 : width - 1;
        return join(
                marker(base + (counted ? 5 : 2) + form),
                little(bytes.length, width),
                counted ? little(count, width) : new byte[0],
                bytes);
    }

    private static int behind(int place, int bytes) {
        return place < 0 ? -1 : place + bytes;
    }

    // ---- bytes ----

    private static byte[] marker(int marker) {
        return new byte[] {(byte) marker};
    }

    private static byte[] little(long number, int width) {
        var bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (number >> (8 * i));
        }
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }
}
