package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.modeling.SharedData.Holding;
import dev.orrery.example.modeling.SharedData.Portfolio;
import dev.orrery.example.modeling.SharedData.Portfolios;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedDataIT {
    @Test
    void aReferencedQuoteIsChangedForLessAndAnEmbeddedOneReadForLess() {
        var tradeOff = SharedData.measure(TestServer.bench("shared-measured"));

        assertThat(tradeOff.row(SharedData.CHANGE).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(SharedData.SHOW).isCheaperWithOpposite()).isTrue();
    }

    @Test
    void aChangedQuoteShowsInAllPortfoliosThatHoldTheStock() {
        var bench = TestServer.bench("shared");
        var before = SharedData.stock(1, 0);
        var after = SharedData.stock(1, 77);
        var other = SharedData.stock(2, 0);
        for (Portfolios portfolios : List.of(new SharedData.Referenced(bench), new SharedData.Embedded(bench))) {
            portfolios.list(before);
            portfolios.list(other);
            portfolios.save(new Portfolio("both", "ada", List.of(new Holding(1, before), new Holding(2, other))));
            portfolios.save(new Portfolio("one", "bob", List.of(new Holding(3, before))));
            portfolios.save(new Portfolio("none", "eve", List.of(new Holding(4, other))));
            portfolios.change(after);

            assertThat(portfolios.read("both").holdings())
                    .containsExactly(new Holding(1, after), new Holding(2, other));
            assertThat(portfolios.read("one").holdings()).containsExactly(new Holding(3, after));
            assertThat(portfolios.read("none").holdings()).containsExactly(new Holding(4, other));
        }
    }
}
