package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Num;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
    @Test
    void readsNamesAndKeepsTheTextAsGiven() {
        assertThat(JsonPath.parse("/a").names()).containsExactly("a");
        assertThat(JsonPath.parse("/a/b-c/_ts/0").names()).containsExactly("a", "b-c", "_ts", "0");
        var quoted = JsonPath.parse("/\"a b/c\"/'x\"y'/\"q\\\"\\\\r\"");
        assertThat(quoted.names()).containsExactly("a b/c", "x\"y", "q\"\\r");
        assertThat(quoted).hasToString("/\"a b/c\"/'x\"y'/\"q\\\"\\\\r\"");
    }

    @Test
    void twoSpellingsOfOneWayAreEqual() {
        assertThat(JsonPath.parse("/\"a\"/b"))
                .isEqualTo(JsonPath.parse("/a/'b'"))
                .hasSameHashCodeAs(JsonPath.parse("/a/b"));
        assertThat(JsonPath.parse("/a")).isNotEqualTo(JsonPath.parse("/b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/", "/a/", "/a//b", "//", "/\"a", "/\"a\"b", "/\"\"", "a/b", "/'"})
    void refusesWhatIsNoPath(String text) {
        assertThatThrownBy(() -> JsonPath.parse(text))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @Test
    void leadsThroughObjectsOnly() {
        var value = JsonReader.parse("{\"a\":{\"b\":1},\"list\":[5]}");

        assertThat(JsonPath.parse("/a/b").in(value)).isEqualTo(new Num(1));
        assertThat(JsonPath.parse("/a/c").in(value)).isEqualTo(JsonValue.UNDEFINED);
        assertThat(JsonPath.parse("/list/0").in(value)).isEqualTo(JsonValue.UNDEFINED);
        assertThat(JsonPath.parse("/a").in(new Num(1))).isEqualTo(JsonValue.UNDEFINED);
    }
}
