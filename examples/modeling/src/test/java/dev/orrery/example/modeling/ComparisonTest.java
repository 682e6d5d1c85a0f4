package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final int RUNS = 5;

    /** A model that notes what it is asked, and what its answers cost. */
    private record Model(double requestUnits, List<Integer> numbers) {
        Model(double requestUnits, Integer... numbers) {
            this(requestUnits, new ArrayList<>(List.of(numbers)));
        }
    }

    private final Meter meter = new Meter();

    @Test
    void theMedianOfTheRunsAfterThoseToWarmUpCounts() {
        var first = new Model(2);
        var second = new Model(3);
        var comparison = compare(first, second);
        comparison.measure("count", (model, number) -> {
            model.numbers().add(number);
            // One run is disturbed, and all that warm up are dear.
            meter.add(number <= RUNS ? 1_000 : model.requestUnits());
            return number;
        });

        assertThat(first.numbers()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(second.numbers()).isEqualTo(first.numbers());
        var row = comparison.tradeOff().row("count");
        assertThat(row.pattern().requestUnits()).isEqualTo(2);
        assertThat(row.opposite().requestUnits()).isEqualTo(3);
    }

    @Test
    void whatALookAtAChangeTakesIsNotCounted() {
        var comparison = compare(new Model(0), new Model(0));
        comparison.measure("change", (_, _) -> meter.add(4), (_, _) -> {
            meter.add(50);
            return "same";
        });
        assertThat(comparison.tradeOff().row("change").pattern().requestUnits()).isEqualTo(4);
    }

    @Test
    void modelsThatGiveDifferentAnswersAreNotCompared() {
        var comparison = compare(new Model(0, 1), new Model(0, 2));
        assertThatIllegalStateException()
                .isThrownBy(() -> comparison.measure("look", (model, _) -> model.numbers()))
                .withMessage("To look gives [1] in the model 'one' but [2] in the model 'other'.");
    }

    private Comparison<Model> compare(Model first, Model second) {
        return new Comparison<>(meter, RUNS, "one", first, "other", second);
    }
}
