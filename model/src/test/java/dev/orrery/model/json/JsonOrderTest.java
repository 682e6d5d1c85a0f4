package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonValue.Num;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JsonOrderTest {
    private static final List<JsonValue> ASCENDING = Stream.concat(
                    Stream.of(JsonValue.UNDEFINED),
                    Stream.of(
                                    "null",
                                    "false",
                                    "true",
                                    "-1e300",
                                    "-1",
                                    "0",
                                    "1e-300",
                                    "1",
                                    "2",
                                    "10",
                                    "\"\"",
                                    "\"A\"",
                                    "\"a\"",
                                    "\"aa\"",
                                    "\"b\"",
                                    "\"é\"",
                                    "\"你\"",
                                    "\"\uffee\"",
                                    "\"😀\"",
                                    "\"😀a\"",
                                    "\"😁\"",
                                    "[]",
                                    "[null]",
                                    "[1]",
                                    "[1,1]",
                                    "[2]",
                                    "[\"a\"]",
                                    "[[]]",
                                    "{}",
                                    "{\"a\":1}",
                                    "{\"b\":0,\"a\":1}",
                                    "{\"a\":2}",
                                    "{\"b\":0}",
                                    "{\"\uffee\":0}",
                                    "{\"😀\":0}")
                            .map(JsonReader::parse))
            .toList();

    @Test
    void ordersKindsThenValues() {
        for (int i = 0; i < ASCENDING.size(); i++) {
            for (int j = 0; j < ASCENDING.size(); j++) {
                assertThat(Integer.signum(JsonOrder.INSTANCE.compare(ASCENDING.get(i), ASCENDING.get(j))))
                        .as("%s against %s", ASCENDING.get(i), ASCENDING.get(j))
                        .isEqualTo(Integer.compare(i, j));
                assertThat(JsonOrder.equal(ASCENDING.get(i), ASCENDING.get(j))).isEqualTo(i == j);
            }
        }
    }

    @Test
    void theTwoZerosAreEqualAlsoInsideOtherValues() {
        assertThat(JsonOrder.INSTANCE.compare(new Num(0.0), new Num(-0.0))).isZero();
        var positive = JsonReader.parse("{\"a\":[0]}");
        var negative = JsonReader.parse("{\"a\":[-0]}");
        assertThat(JsonOrder.equal(positive, negative)).isTrue();
        assertThat(positive).hasSameHashCodeAs(negative);
    }

    @Test
    void theOrderInWhichMembersWereWrittenDoesNotMatter() {
        var one = JsonReader.parse("{\"a\":1,\"b\":[{\"x\":1,\"y\":2}]}");
        var other = JsonReader.parse("{\"b\":[{\"y\":2,\"x\":1}],\"a\":1.0}");
        assertThat(JsonOrder.INSTANCE.compare(one, other)).isZero();
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    }
}
