package dev.orrery.gateway.binaryjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.gateway.hybridrow.Frames;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryJsonTest {
    private static final int DOCUMENTS = 2_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        00                                            | 0
        1F                                            | 31
        C8 FF                                         | 255
        C9 18FC                                       | -1000
        CA 70110100                                   | 70000
        CB 000EFAD5FEFFFFFF                           | -5000000000
        CB FFFFFFFFFFFFFF7F                           | 9223372036854775807
        C7 FEFFFFFFFFFFFFFF                           | 18446744073709551614
        CC 0000000000000C40                           | 3.5
        CC 0000000000000080                           | -0
        CE 00000000000002C0                           | -2.25
        CD 0000C03F                                   | 1.5
        CF 003E                                       | 1.5
        D7 C8                                         | 200
        D8 FB                                         | -5
        D9 18FC                                       | -1000
        DA 90EEFEFF                                   | -70000
        DB 000EFAD5FEFFFFFF                           | -5000000000
        DC FEFFFFFF                                   | 4294967294
        D0                                            | null
        D1                                            | false
        D2                                            | true
        20                                            | "$s"
        2C                                            | "id"
        3F                                            | "_id"
        80                                            | ""
        83 61C3A4                                     | "aä"
        84 22 5C 0A 2F                                | "\\"\\\\\\n/"
        C0 02 6162                                    | "ab"
        C1 0200 6162                                  | "ab"
        C2 02000000 6162                              | "ab"
        71 01 00 000102                               | "AAEC"
        71 01 01 FFFE                                 | "//4="
        71 01 FE FFFE                                 | "//4"
        72 0100 02 FF                                 | "/w=="
        73 01 01 FFFE                                 | "__4="
        74 0100 FD FF                                 | "_w"
        75 000102030405060708090A0B0C0D0EFF           | "00010203-0405-0607-0809-0a0b0c0d0eff"
        76 000102030405060708090A0B0C0D0EFF           | "00010203-0405-0607-0809-0A0B0C0D0EFF"
        77 000102030405060708090A0B0C0D0EFF           | "\\"00010203-0405-0607-0809-0a0b0c0d0eff\\""
        D3 000102030405060708090A0B0C0D0EFF           | "03020100-0504-0706-0809-0a0b0c0d0eff"
        78 03 21 0F                                   | "12f"
        79 04 21 FE                                   | "12EF"
        7A 04 31 C0                                   | "02 -"
        7B 03 61 10 02                                | "abc"
        7C 03 61 20 08                                | "abc"
        7D 03 61 40 20 00                             | "abc"
        7E 03 61F118                                  | "abc"
        7F 0300 61F118                                | "abc"
        DD 02 FFFE                                    | "//4="
        DE 0200 FFFE                                  | "//4="
        DF 02000000 FFFE                              | "//4="
        E0                                            | []
        E1 01                                         | [1]
        E2 02 01D0                                    | [1,null]
        E3 0200 01D0                                  | [1,null]
        E4 02000000 01D0                              | [1,null]
        E5 02 02 01D0                                 | [1,null]
        E6 0200 0200 01D0                             | [1,null]
        E7 02000000 02000000 01D0                     | [1,null]
        E8                                            | {}
        E9 2C 8131                                    | {"id":"1"}
        EA 05 2C 01 8161 02                           | {"id":1,"a":2}
        EB 0500 2C 01 8161 02                         | {"id":1,"a":2}
        EC 05000000 2C 01 8161 02                     | {"id":1,"a":2}
        ED 05 02 2C 01 8161 02                        | {"id":1,"a":2}
        EE 0500 0200 2C 01 8161 02                    | {"id":1,"a":2}
        EF 05000000 02000000 2C 01 8161 02            | {"id":1,"a":2}
        E2 06 8361 6263 C303                          | ["abc","abc"]
        E2 07 8361 6263 C40300                        | ["abc","abc"]
        E2 08 8361 6263 C5030000                      | ["abc","abc"]
        E2 09 8361 6263 C603000000                    | ["abc","abc"]
        F0 D8 03 01FF02                               | [1,-1,2]
        F1 D9 0200 0100FFFF                           | [1,-1]
        F0 CD 01 0000C03F                             | [1.5]
        F2 F0 D7 02 03 010203040506                   | [[1,2],[3,4],[5,6]]
        F3 F1 DA 0100 0200 01000000FFFFFFFF           | [[1],[-1]]
        F2 F0 D7 00 02                                | [[],[]]
        """)
    void everyFormHasItsText(String hex, String text) {
        assertThat(text(Frames.hex("80" + hex))).isEqualTo(text);
    }

    @Test
    void aTextIsHandedBackAsItIs() {
        var text = "{ \"id\": 1.0 }".getBytes(StandardCharsets.UTF_8);
        assertThat(BinaryJson.begins(text)).isFalse();
        assertThat(BinaryJson.text(text)).isSameAs(text);
        assertThat(BinaryJson.text(new byte[0])).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing at all
                "D0 D0", // something behind the end
                "40", // a dictionary that nobody shares
                "60 01",
                "68",
                "70",
                "D4",
                "D6",
                "F4",
                "FF",
                "81", // cut short
                "C0 05 61",
                "C2 FFFFFFFF 61",
                "CC 00000000",
                "CC 000000000000F07F", // infinite
                "CC 000000000000F87F", // not a number
                "CD 0000807F",
                "81 FF", // not UTF-8
                "83 EDA080", // half of a surrogate pair
                "C3 01", // refers to itself
                "C3 00",
                "C3 09", // further down
                "E2 03 8161 C303", // a length that is too short
                "E2 06 C303 8161 C303", // to a reference
                "E2 04 01 C303 00", // to a number
                "E2 02 01",
                "E2 01 C802", // an element beyond the end
                "E5 02 01 01D0", // another count
                "E5 02 03 01D0",
                "E9 01 01", // a name that is not a string
                "E9 2C",
                "F0 D0 01",
                "F0 D8 FF 01",
                "F2 F1 D7 01 01 01", // arrays of another form
                "F2 E2 D7 01 01 01",
                "71 01 03 0001", // no such padding
                "71 00 01",
                "71 FF 00 00",
                "78 05 1234"
            })
    void whatIsMalformedIsABadRequest(String hex) {
        assertThatThrownBy(() -> BinaryJson.text(Frames.hex("80" + hex)))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(refused.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @Test
    void nestingHasTheLimitThatTextHas() {
        assertThat(text(Frames.hex("80" + "E1".repeat(128) + "D0")))
                .startsWith("[[[")
                .endsWith("]]]");
        assertThatThrownBy(() -> BinaryJson.text(Frames.hex("80" + "E1".repeat(129) + "D0")))
                .isInstanceOf(FailureException.class);
        assertThatThrownBy(() -> BinaryJson.text(Frames.hex("80" + "E1".repeat(100_000) + "D0")))
                .isInstanceOf(FailureException.class);
    }

    @Test
    void aSmallDocumentCannotBecomeAHugeText() {
        var string = Frames.join(Frames.hex("C2 40420F00"), new byte[1_000_000]);
        Arrays.fill(string, 5, string.length, (byte) 'x');
        var references = Frames.hex("C306".repeat(100));
        var body = Frames.join(string, references);
        var head = Frames.hex("80 E4 %s".formatted(little(body.length)));
        assertThatThrownBy(() -> BinaryJson.text(Frames.join(head, body)))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(refused.failure()).isInstanceOf(Failure.TooLarge.class));
    }

    @Test
    void everyValueComesBackFromEveryFormOfIt() {
        var random = seeded();
        for (int i = 0; i < DOCUMENTS; i++) {
            var value = value(random, 4);
            var document = BinaryDocument.of(value, random);
            assertThat(JsonReader.parse(BinaryJson.text(document)))
                    .as("document %d", i)
                    .isEqualTo(JsonReader.parse(JsonWriter.bytes(value)));
        }
    }

    @Test
    void damageIsRefusedOrGivesAnotherTextThatIsJson() {
        var random = seeded();
        for (int i = 0; i < DOCUMENTS; i++) {
            var document = BinaryDocument.of(value(random, 3), random);
            for (int times = random.nextInt(1, 4); times > 0; times--) {
                document[random.nextInt(document.length)] = (byte) random.nextInt();
            }
            document[0] = (byte) 0x80;
            var damaged = Arrays.copyOf(
                    document, random.nextInt(8) == 0 ? random.nextInt(1, document.length + 1) : document.length);
            try {
                JsonReader.parse(BinaryJson.text(damaged));
            } catch (FailureException refused) {
                assertThat(refused.failure()).isInstanceOfAny(Failure.BadRequest.class, Failure.TooLarge.class);
            }
        }
    }

    private static RandomGenerator seeded() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("BinaryJsonTest: -Dtest.seed=" + seed);
        return new Random(seed);
    }

    private static JsonValue value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> JsonValue.Null.NULL;
            case 1 -> random.nextBoolean() ? JsonValue.Bool.TRUE : JsonValue.Bool.FALSE;
            case 2 -> new Num(number(random));
            case 3, 4 -> new Str(string(random));
            case 5 -> {
                var items = new JsonValue[random.nextInt(6)];
                Arrays.setAll(items, _ -> value(random, depth - 1));
                yield JsonValue.array(items);
            }
            default -> {
                var object = Obj.builder();
                for (int i = random.nextInt(6); i > 0; i--) {
                    object.put(string(random), value(random, depth - 1));
                }
                yield object.build();
            }
        };
    }

    private static double number(RandomGenerator random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(300) - 20;
            case 1 -> random.nextInt();
            case 2 -> random.nextLong() >> 11;
            case 3 -> random.nextInt(100) / 8.0;
            default -> random.nextGaussian() * 1e10;
        };
    }

    private static String string(RandomGenerator random) {
        var bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 400 : 12)];
        random.nextBytes(bytes);
        return switch (random.nextInt(9)) {
            case 0 -> SystemStrings.at(random.nextInt(32));
            case 1 -> {
                var guid = new UUID(random.nextLong(), random.nextLong()).toString();
                yield random.nextBoolean() ? guid : guid.toUpperCase(Locale.ROOT);
            }
            case 2 -> '"' + new UUID(random.nextLong(), random.nextLong()).toString() + '"';
            case 3 -> Base64.getEncoder().encodeToString(bytes);
            case 4 -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            case 5 -> "2026-11-18T0%d:00:00.000Z".formatted(random.nextInt(10));
            case 6 -> Long.toHexString(random.nextLong());
            case 7 -> new String(bytes, StandardCharsets.ISO_8859_1) + "😀";
            default -> "a".repeat(random.nextInt(70));
        };
    }

    private static String little(int number) {
        return "%08X".formatted(Integer.reverseBytes(number));
    }

    private static String text(byte[] document) {
        return new String(BinaryJson.text(document), StandardCharsets.UTF_8);
    }
}
