package dev.orrery.sql.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSizeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "abc; 3",
                "a{3}; 3",
                "(ab){3}; 12",
                "((a{2}){3}){4}; 56",
                "a{2,5}; 5",
                "a{2,}b; 3",
                "a{x}; 4",
                "a|b; 3"
            })
    void repetitionsCountAsOftenAsTheyAreWrittenOut(String pattern, long steps) {
        assertThat(RegexSize.demanded(pattern.strip())).isEqualTo(steps);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(((((a{100}){100}){100}){100}){100}){100}",
                "(a{1000}b){1000}",
                "(?:x{1000}){1000}"
            })
    void aShortPatternThatStandsForALongOneIsRefused(String pattern) {
        assertThatThrownBy(() -> run("SELECT VALUE REGEXMATCH('a', @pattern)", pattern))
                .hasMessageContaining("more than 20000 steps");
    }

    @Test
    void aLongPatternIsRefusedRatherThanTheStackUsedUp() {
        for (var pattern : new String[] {"a?".repeat(30_000), "(".repeat(9_000) + "a" + ")".repeat(9_000)}) {
            assertThatThrownBy(() -> run("SELECT VALUE REGEXMATCH('aaaa', @pattern)", pattern))
                    .hasMessageMatching(".*(steps|not supported).*");
        }
    }

    @Test
    void patternsThatPeopleWriteAreNotRefused() {
        assertThat(run(
                        "SELECT VALUE REGEXMATCH('x1@example.org', @pattern)",
                        "^[\\w.+-]{1,64}@([a-z0-9-]{1,63}\\.){1,8}[a-z]{2,24}$"))
                .containsExactly(Bool.TRUE);
    }

    private static Iterable<JsonValue> run(String text, String pattern) {
        var inputs =
                QueryInputs.of(Map.of("@pattern", new JsonValue.Str(pattern)), Instant.EPOCH, new SplittableRandom(1));
        var rows = new ArrayList<JsonValue>();
        Query.of(text).run(inputs, rows::add).finish();
        return rows;
    }
}
