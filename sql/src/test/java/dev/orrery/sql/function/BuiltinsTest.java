package dev.orrery.sql.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltinsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    @TestFactory
    Stream<DynamicTest> everyExampleGivesItsResult() {
        return Builtins.all().stream()
                .map(builtin -> DynamicTest.dynamicTest(builtin.example(), () -> {
                    assertThat(evaluate(builtin.example())).isEqualTo(builtin.result());
                }));
    }

    @Test
    void everyExampleCallsItsFunction() {
        assertThat(Builtins.all())
                .allSatisfy(builtin -> assertThat(builtin.example()).startsWith(builtin.name() + "("));
    }

    @Test
    void everyFunctionButTheLenientOnesIsUndefinedForUndefined() {
        var context = new CallContext(NOW, new SplittableRandom(1), new Patterns());
        for (var builtin : Builtins.all()) {
            if (!builtin.undefinedArguments() && builtin.argumentsMin() > 0) {
                var arguments = new JsonValue[builtin.argumentsMin()];
                Arrays.fill(arguments, JsonValue.UNDEFINED);
                assertThat(builtin.call(arguments, context).isUndefined())
                        .as(builtin.name())
                        .isTrue();
            }
        }
    }

    private static String evaluate(String expression) {
        var rows = new ArrayList<String>();
        Query.of("SELECT VALUE " + expression)
                .run(QueryInputs.of(Map.of(), NOW, new SplittableRandom(1)), row -> rows.add(JsonWriter.text(row)))
                .finish();
        return rows.isEmpty() ? "undefined" : rows.getFirst();
    }
}
