package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConclusionTest {
    @Test
    void saysWhoIsDearerForWhatAndHowTasksHaveToBeMixed() {
        assertThat(conclusion(row("read a person", 1, 10), row("save one", 12, 30), row("change one", 8, 5)))
                .isEqualTo("“separate” costs 10 times as much to read a person and 2.5 times as much to save one;"
                        + " “together” costs 1.6 times as much to change one;"
                        + " “together” saves as much when you read a person once as “separate” does when you change one"
                        + " 3.0 times.");
    }

    @Test
    void theBalanceBeginsWithWhateverSavesMore() {
        assertThat(conclusion(row("read a person", 1, 2), row("change one", 45, 5)))
                .endsWith("“separate” saves as much when you change one once as “together” does when you read a person"
                        + " 40 times.");
    }

    @Test
    void whatIsEquallyDearIsSaidToBe() {
        assertThat(conclusion(row("read a person", 1, 1), row("save one", 10, 10.4)))
                .isEqualTo("Both cost the same to read a person and to save one.");
    }

    private static String conclusion(Row... rows) {
        return new TradeOff("together", "separate", List.of(rows), List.of()).conclusion();
    }

    private static Row row(String task, double pattern, double opposite) {
        return new Row(task, new Cost(pattern, 0), new Cost(opposite, 0));
    }
}
