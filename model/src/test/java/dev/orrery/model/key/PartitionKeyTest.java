package dev.orrery.model.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionKeyTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"p\"]|[\"p\"]",
                "[1.0]|[1]",
                "[-0.0]|[-0]",
                "[1.5e3]|[1500]",
                "[true]|[true]",
                "[false]|[false]",
                "[null]|[null]",
                "[{}]|[{}]",
                "[ { } ]|[{}]",
                "[]|[]",
                "[\"\\u4f60\\u597d \\ud83d\\ude00\"]|[\"你好 😀\"]",
                "[\"a\\\"b\\\\\"]|[\"a\\\"b\\\\\"]",
                "[\"t\",\"u\",3]|[\"t\",\"u\",3]",
                "[\"t\",null,{}]|[\"t\",null,{}]"
            })
    void readsAndWritesTheFormOfTheHeader(String header, String written) {
        assertThat(PartitionKey.parse(header).header()).isEqualTo(written);
        assertThat(PartitionKey.parse(written)).isEqualTo(PartitionKey.parse(header));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "p",
                "\"p\"",
                "1",
                "{}",
                "null",
                "[",
                "[\"p\"",
                "[\"p\"]]",
                "[[1]]",
                "[{\"a\":1}]",
                "[1,2,3,4]",
                "[\"\\ud800\"]",
                "[undefined]"
            })
    void refusesWhatIsNoPartitionKey(String header) {
        assertThatThrownBy(() -> PartitionKey.parse(header))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @Test
    void refusesValuesLongerThanTwoKilobytes() {
        assertThat(PartitionKey.parse("[\"" + "a".repeat(2048) + "\"]").size()).isEqualTo(1);
        assertThatThrownBy(() -> PartitionKey.parse("[\"" + "a".repeat(2049) + "\"]"))
                .isInstanceOf(FailureException.class);
        assertThatThrownBy(() -> PartitionKey.parse("[\"" + "你".repeat(683) + "\"]"))
                .isInstanceOf(FailureException.class);
    }

    @Test
    void theTwoZerosAreTwoKeys() {
        assertThat(PartitionKey.parse("[0]")).isNotEqualTo(PartitionKey.parse("[-0.0]"));
        assertThat(PartitionKey.parse("[1]"))
                .isEqualTo(PartitionKey.parse("[1.0]"))
                .hasSameHashCodeAs(PartitionKey.parse("[1.0]"));
    }

    @Test
    void aKeyIsAPrefixOfTheKeysThatBeginWithIt() {
        var key = PartitionKey.parse("[\"t\",\"u\"]");
        assertThat(key.isPrefixOf(PartitionKey.parse("[\"t\",\"u\",\"s\"]"))).isTrue();
        assertThat(key.isPrefixOf(key)).isTrue();
        assertThat(PartitionKey.EMPTY.isPrefixOf(key)).isTrue();
        assertThat(key.isPrefixOf(PartitionKey.parse("[\"t\"]"))).isFalse();
        assertThat(key.isPrefixOf(PartitionKey.parse("[\"t\",\"x\",\"s\"]"))).isFalse();
    }

    @Test
    void storedBytesOrderLikeTheComponentsAndReadBack() {
        var random = Seed.random();
        for (int i = 0; i < 50_000; i++) {
            var one = randomKey(random);
            var other = random.nextInt(10) == 0 ? one : randomKey(random);
            var bytes = PartitionKeyBytes.encode(one);

            assertThat(Integer.signum(Arrays.compareUnsigned(bytes, PartitionKeyBytes.encode(other))))
                    .as("%s against %s", one, other)
                    .isEqualTo(Integer.signum(compare(one, other)));
            var inside = new byte[bytes.length + 5];
            System.arraycopy(bytes, 0, inside, 2, bytes.length);
            assertThat(PartitionKeyBytes.decode(inside, 2))
                    .isEqualTo(new PartitionKeyBytes.Decoded(one, bytes.length + 2));
            var prefix = PartitionKeyBytes.encodePrefix(other);
            assertThat(Arrays.mismatch(prefix, bytes) == prefix.length || Arrays.equals(prefix, bytes))
                    .isEqualTo(other.isPrefixOf(one));
        }
    }

    private static int compare(PartitionKey one, PartitionKey other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            var ours = one.components().get(i);
            var theirs = other.components().get(i);
            int result = JsonOrder.INSTANCE.compare(ours, theirs);
            if (result == 0 && ours instanceof Num(double number, var _)) {
                result = Double.compare(number, ((Num) theirs).value()); // the zeros
            }
            if (result != 0) {
                return result;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static PartitionKey randomKey(RandomGenerator random) {
        var components = new ArrayList<JsonValue>();
        for (int i = random.nextInt(4); i > 0; i--) {
            components.add(
                    switch (random.nextInt(8)) {
                        case 0 -> JsonValue.UNDEFINED;
                        case 1 -> JsonValue.NULL;
                        case 2 -> Bool.of(random.nextBoolean());
                        case 3 -> new Num(random.nextInt(-2, 3) * 0.0 + random.nextInt(-2, 3));
                        case 4 -> new Num(random.nextBoolean() ? -0.0 : Double.MIN_VALUE);
                        case 5 -> new Num(random.nextGaussian() * Math.pow(10, random.nextInt(-300, 300)));
                        default -> new Str(randomString(random));
                    });
        }
        return new PartitionKey(components);
    }

    private static String randomString(RandomGenerator random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.appendCodePoint(
                    switch (random.nextInt(5)) {
                        case 0 -> 0;
                        case 1 -> 1;
                        case 2 -> random.nextInt(0xe000, 0x10000);
                        case 3 -> random.nextInt(0x10000, 0x110000);
                        default -> 'a' + random.nextInt(3);
                    });
        }
        return text.toString();
    }

    @Test
    void theStoredFormIsFixed() {
        assertThat(PartitionKeyBytes.encode(PartitionKey.parse("[{},null,\"a\\u0000\"]")))
                .containsExactly(1, 2, 6, 'a', 0, 0xff, 0, 0, 0);
        assertThat(PartitionKeyBytes.encode(PartitionKey.parse("[false,true,1]")))
                .containsExactly(3, 4, 5, 0xbf, 0xf0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(PartitionKeyBytes.encode(PartitionKey.parse("[-1]")))
                .containsExactly(5, 0x40, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0);
    }
}
