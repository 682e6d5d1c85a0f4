package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    @Test
    void readsEveryKindOfValue() {
        var value = JsonReader.parse(
                " { \"a\" : [ 1 , -2.5e1 , \"x\\n\\u00e9\\ud83d\\ude00\" , true , false , null , {} ] } ");

        assertThat(value)
                .isEqualTo(Obj.builder()
                        .put(
                                "a",
                                JsonValue.array(
                                        new Num(1),
                                        new Num(-25),
                                        new Str("x\né😀"),
                                        Bool.TRUE,
                                        Bool.FALSE,
                                        JsonValue.NULL,
                                        Obj.EMPTY))
                        .build());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, -0.0",
        "7, 7",
        "123456789012345, 123456789012345",
        "9007199254740993, 9007199254740992",
        "0.1, 0.1",
        "12.50, 12.5",
        "1e3, 1000",
        "1E-2, 0.01",
        "4.9e-324, 4.9e-324",
        "1e-999, 0",
        "1.7976931348623157e308, 1.7976931348623157E308",
        "0.30000000000000004, 0.30000000000000004"
    })
    void readsNumbersAsTheNearestDouble(String text, double expected) {
        assertThat(((Num) JsonReader.parse(text)).value()).isEqualTo(expected);
    }

    @Test
    void aRepeatedNameHasItsLastValueHoweverItIsSpelled() {
        var object = (Obj) JsonReader.parse("{\"a\":1,\"b\":{\"x\":1,\"\\u0078\":2},\"\\u0061\":3}");

        assertThat(object.member("a")).isEqualTo(new Num(3));
        assertThat(object.member("b")).isEqualTo(Obj.builder().put("x", 2).build());
        assertThat(((Obj) object.member("b")).member("x")).isEqualTo(new Num(2));
        assertThat(object.members().keySet()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":1 \"b\":2}",
                "tru",
                "truee",
                "True",
                "nul",
                "NaN",
                "Infinity",
                "-",
                "+1",
                "01",
                "-01",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x10",
                "1e309",
                "-1e309",
                "\"",
                "\"a",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\t\"",
                "\"\u0000\"",
                "\"\\ud800\"",
                "\"\\ud800x\"",
                "\"\\ud800\\u0041\"",
                "\"\\udc00\"",
                "1 1",
                "{} x",
                "/* no */ 1",
                "// no\n1",
                "\ufeff{}",
                "\u00a01",
                "[1]]",
                "{]",
                "[}"
            })
    void refusesWhatIsNotJson(String text) {
        assertThatThrownBy(() -> JsonReader.parse(text))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "bf",
                "c0 80",
                "c1 bf",
                "c2",
                "c2 41",
                "e0 80 80",
                "e0 9f bf",
                "e1 80",
                "ed a0 80",
                "f0 80 80 80",
                "f0 8f bf bf",
                "f4 90 80 80",
                "f5 80 80 80",
                "ff",
                "f1 80 80"
            })
    void refusesBytesThatAreNotUtf8(String hex) {
        var inside = java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
        var text = new byte[inside.length + 2];
        text[0] = '"';
        System.arraycopy(inside, 0, text, 1, inside.length);
        text[text.length - 1] = '"';

        assertThatThrownBy(() -> JsonReader.parse(text)).isInstanceOf(FailureException.class);
    }

    @Test
    void saysWhereTheTextIsWrong() {
        assertThatThrownBy(() -> JsonReader.parse("{\n  \"é\": [1, x]}"))
                .hasMessage("Malformed JSON at line 2, column 12 (byte offset 14): expected a value.");
    }

    @Test
    void refusesHalfOfASurrogatePairInAString() {
        assertThatThrownBy(() -> JsonReader.parse("\"\ud800\"")).isInstanceOf(FailureException.class);
    }

    @Test
    void acceptsTheDeepestAllowedNestingAndNotOneMore() {
        int most = Limits.NESTING_DEPTH_MAX;
        assertThat(JsonReader.parse("[".repeat(most) + "]".repeat(most))).isInstanceOf(Arr.class);
        assertThat(JsonReader.parse("{\"a\":".repeat(most) + "1" + "}".repeat(most)))
                .isInstanceOf(Obj.class);

        assertThatThrownBy(() -> JsonReader.parse("[".repeat(most + 1) + "]".repeat(most + 1)))
                .hasMessageContaining("nested deeper than 128 levels");
        assertThatThrownBy(() -> JsonReader.parse("{\"a\":".repeat(most + 1) + "1" + "}".repeat(most + 1)))
                .hasMessageContaining("nested deeper than 128 levels");
    }

    @Test
    void keepsTheTextAsItWasSent() {
        var text = "{ \"b\":1.50, \"a\" : [1.0,2e0]}";
        var object = (Obj) JsonReader.parse(text.getBytes(StandardCharsets.UTF_8));

        assertThat(JsonWriter.text(object)).isEqualTo(text);
        assertThat(JsonWriter.text(object.member("a"))).isEqualTo("[1.0,2e0]");
    }
}
