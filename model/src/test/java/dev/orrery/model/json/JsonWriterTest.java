package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonWriterTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1, 1",
        "-42, -42",
        "10, 10",
        "9007199254740992, 9007199254740992",
        "-9007199254740992, -9007199254740992",
        "1e17, 100000000000000000",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "1.5e300, 1.5e+300",
        "0.1, 0.1",
        "-2.5, -2.5",
        "123456.789, 123456.789",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
        "1.25e-9, 1.25e-9",
        "4.9e-324, 4.9e-324",
        "2e-3, 0.002",
        "1.7976931348623157e308, 1.7976931348623157e+308"
    })
    void spellsNumbersInTheirShortestForm(double number, String expected) {
        assertThat(JsonWriter.text(new Num(number))).isEqualTo(expected);
    }

    @Test
    void escapesOnlyWhatMustBeEscaped() {
        assertThat(JsonWriter.text(new Str("/é你😀\u007f\u2028"))).isEqualTo("\"/é你😀\u007f\u2028\"");
        assertThat(JsonWriter.text(new Str("\"\\\n\r\t\b\f\u0000\u001f")))
                .isEqualTo("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\"");
        assertThat(JsonWriter.text(new Str("a\ud800b"))).isEqualTo("\"a\\ud800b\"");
    }

    @Test
    void writesMembersInTheirOrderAndLeavesUndefinedOut() {
        var object = Obj.builder()
                .put("z", "1")
                .put("undefined", JsonValue.UNDEFINED)
                .put("a", JsonValue.array(new Num(1), JsonValue.UNDEFINED, JsonValue.NULL))
                .put("e", Obj.EMPTY)
                .put("t", true)
                .build();

        assertThat(JsonWriter.text(object)).isEqualTo("{\"z\":\"1\",\"a\":[1,null],\"e\":{},\"t\":true}");
    }

    @Test
    void growsAsMuchAsNeeded() {
        var long1 = "x\u0001é".repeat(5_000);

        assertThat(JsonReader.parse(new JsonWriter(1).value(new Str(long1)).toBytes()))
                .isEqualTo(new Str(long1));
    }
}
