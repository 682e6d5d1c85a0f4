package dev.orrery.bench.charges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.orrery.bench.charges.BlogCharges.Unknowns;
import dev.orrery.engine.budget.PriceLists;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ChargeFitTest {
    private static final int CELLS = 30;
    private static final double PERCENT_MAX = 5;

    @Test
    void everyRequestOfTheBloggingPlatformCostsWhatWasPublishedWithinFivePercent() {
        try (var blog = new BlogCharges(Unknowns.CHOSEN)) {
            var cells = blog.cells();

            assertThat(cells)
                    .hasSize(CELLS)
                    .allSatisfy(cell -> assertThat(cell.bill().requestUnits())
                            .as(cell.request() + " " + cell.version())
                            .isCloseTo(cell.reference(), Percentage.withPercentage(PERCENT_MAX)));
            assertThat(new ChargeFit(PriceLists.find("2026").orElseThrow(), cells).prices("2019"))
                    .as("what a fit finds is what is used")
                    .isEqualTo(PriceLists.byDefault());
        }
    }

    @Test
    void theTablesOfItemSizesAreThoseOfTheLaterList() {
        var list = PriceLists.find("2026").orElseThrow();
        assertThat(PublishedCharges.all().stream().filter(figure -> figure.year() == 2026))
                .hasSizeGreaterThan(25)
                .allSatisfy(figure -> assertThat(
                                list.bill(figure.work(), figure.caller()).requestUnits())
                        .as(figure.what())
                        .isCloseTo(figure.reference(), within(0.11)));
    }
}
