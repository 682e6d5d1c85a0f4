package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.cosmos.CosmosException;
import dev.orrery.example.modeling.Hybrid.AuthorSummary;
import dev.orrery.example.modeling.Hybrid.BookPage;
import dev.orrery.example.modeling.Hybrid.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;

class HybridIT {
    @Test
    void pagesAreShownForLessAndKeptInStepForMore() {
        var tradeOff = Hybrid.measure(TestServer.bench("hybrid-measured"));

        assertThat(tradeOff.row(Hybrid.SHOW_BOOK).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(Hybrid.SHOW_AUTHOR).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(Hybrid.RENAME).isCheaperWithOpposite()).isTrue();
        assertThat(tradeOff.row(Hybrid.ADD).isCheaperWithOpposite()).isTrue();
    }

    @Test
    void aNewNameShowsOnThePagesOfAllBooks() {
        var bench = TestServer.bench("hybrid");
        for (Catalogue catalogue : List.of(new Hybrid.WithSummaries(bench), new Hybrid.Referenced(bench))) {
            catalogue.addAuthor("ada", "Ada");
            catalogue.addAuthor("bob", "Bob");
            catalogue.addBook("alone", List.of("ada"));
            catalogue.addBook("together", List.of("ada", "bob"));
            catalogue.addBook("without", List.of("bob"));
            catalogue.rename("ada", "Augusta");

            assertThat(catalogue.author("ada").name()).isEqualTo("Augusta");
            assertThat(catalogue.author("ada").countOfBooks()).isEqualTo(2);
            assertThat(catalogue.author("bob").countOfBooks()).isEqualTo(2);
            assertThat(catalogue.book("alone"))
                    .isEqualTo(new BookPage("Title of alone", List.of(summary("ada", "Augusta"))));
            assertThat(catalogue.book("together").authors())
                    .containsExactly(summary("ada", "Augusta"), summary("bob", "Bob"));
            assertThat(catalogue.book("without").authors()).containsExactly(summary("bob", "Bob"));
        }
    }

    @Test
    void aBookWithAnUnknownAuthorChangesNothing() {
        var catalogue = new Hybrid.WithSummaries(TestServer.bench("hybrid-unknown"));
        catalogue.addAuthor("ada", "Ada");
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.addBook("book", List.of("ada", "nobody")));

        assertThat(catalogue.author("ada").countOfBooks()).isZero();
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.book("book"))
                .satisfies(refused -> assertThat(refused.getStatusCode()).isEqualTo(404));
    }

    private static AuthorSummary summary(String id, String name) {
        return new AuthorSummary(id, name, "https://images.example.org/" + id + "/small.jpg");
    }
}
