package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonSizeTest {
    private static final int ROUNDS = 5_000;

    @Test
    void whatATextUnfoldsToIsNeverCountedTooLow() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("-Dtest.seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            var text = ("[" + new RandomJson(random).text() + "]").getBytes(StandardCharsets.UTF_8);
            var value = JsonReader.parse(text);
            long counted = 48 + JsonSize.unfolding(text, 0, text.length);
            assertThat(counted)
                    .as(new String(text, StandardCharsets.UTF_8))
                    .isGreaterThanOrEqualTo(unfoldedBytes(value));
        }
    }

    @Test
    void textsThatAreAllStructureTakeManyTimesTheirLength() {
        for (var piece : List.of("1", "[]", "{}", "[1]", "{\"a\":1}", "\"\"", "null")) {
            var text = ("[" + (piece + ",").repeat(999) + piece + "]").getBytes(StandardCharsets.UTF_8);
            var value = JsonReader.parse(text);
            long unfolding = JsonSize.unfolding(value);
            assertThat(48 + unfolding).as(piece).isGreaterThanOrEqualTo(unfoldedBytes(value));
            assertThat(JsonSize.unfolding(value)).as("looked into already").isZero();
            assertThat(JsonSize.of(value)).isGreaterThanOrEqualTo(unfolding + text.length);
        }
    }

    @Test
    void aPartOfAnItemKeepsTheWholeTextOnce() {
        var item = JsonReader.parse("{\"a\":{\"n\":1},\"b\":[1],\"text\":\"" + "x".repeat(10_000) + "\"}");
        var parts = JsonValue.array(((Obj) item).member("a"), ((Obj) item).member("b"), ((Obj) item).member("a"));
        assertThat(JsonSize.of(parts)).isBetween(10_000L, 11_000L);
        assertThat(JsonSize.beside(item, parts)).isLessThan(1_000);
    }

    @Test
    void aTextOfItsOwnIsCountedBesideAnItem() {
        var item = JsonReader.parse("{\"a\":1}");
        var other = JsonReader.parse("[\"" + "x".repeat(10_000) + "\"]");
        assertThat(JsonSize.beside(item, JsonValue.array(other))).isGreaterThan(10_000);
    }

    /** What the JVM takes at least for a value into which somebody has looked as deep as it goes, without its text. */
    private static long unfoldedBytes(JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> 16;
            case Str(String text) -> 16 + string(text);
            case Arr(var items) -> {
                long bytes = 16L + 32 + 16;
                for (var item : items) {
                    bytes += 4 + unfoldedBytes(item);
                }
                yield bytes;
            }
            case Obj object -> {
                long bytes = 16L + 32 + 32 + 56 + (object.size() == 0 ? 0 : 80);
                for (var member : object.members().entrySet()) {
                    bytes += 40 + string(member.getKey()) + unfoldedBytes(member.getValue());
                }
                yield bytes;
            }
        };
    }

    private static long string(String text) {
        boolean wide = text.chars().anyMatch(character -> character > 0xff);
        return 24 + 16 + (long) text.length() * (wide ? 2 : 1);
    }
}
