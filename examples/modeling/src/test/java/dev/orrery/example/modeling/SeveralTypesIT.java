package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.example.modeling.SeveralTypes.Book;
import dev.orrery.example.modeling.SeveralTypes.BookPage;
import dev.orrery.example.modeling.SeveralTypes.OneContainer;
import dev.orrery.example.modeling.SeveralTypes.Review;
import dev.orrery.example.modeling.SeveralTypes.Shelf;
import dev.orrery.example.modeling.SeveralTypes.TwoContainers;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeveralTypesIT {
    private static final Review GOOD = Review.of("r1", "b1", 5);
    private static final Review BAD = Review.of("r2", "b1", 1);

    @Test
    void oneContainerShowsABookWithItsReviewsForLess() {
        var tradeOff = SeveralTypes.measure(TestServer.bench("types-measured"));

        assertThat(tradeOff.row(SeveralTypes.SHOW).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(SeveralTypes.REVIEW).isCheaperWithOpposite()).isFalse();
    }

    @Test
    void bothModelsShowABookWithItsReviewsOnly() {
        var bench = TestServer.bench("types");
        for (Shelf shelf : List.of(new OneContainer(bench), new TwoContainers(bench))) {
            shelf.add(Book.of("b1"));
            shelf.add(Book.of("b2"));
            shelf.add(BAD);
            shelf.add(GOOD);

            assertThat(shelf.show("b1"))
                    .isEqualTo(new BookPage(new Book("b1", "b1", "book", "Title of b1", 2), List.of(GOOD, BAD)));
            assertThat(shelf.show("b2")).isEqualTo(new BookPage(Book.of("b2"), List.of()));
            assertThat(shelf.titles()).containsExactly("Title of b1", "Title of b2");
        }
    }

    @Test
    void inOneContainerAReviewIsStoredAndCountedOrNeither() {
        var bench = TestServer.bench("types-atomic");
        var one = new OneContainer(bench);
        one.add(Book.of("b1"));
        one.add(GOOD);
        assertThatThrownBy(() -> one.add(GOOD)).hasMessageContaining("409");
        assertThat(one.show("b1").book().countOfReviews()).isEqualTo(1);

        // In two containers, a review of a book that is not there is stored before the count fails.
        var two = new TwoContainers(bench);
        assertThatThrownBy(() -> two.add(GOOD)).hasMessageContaining("404");
        two.add(Book.of("b1"));
        assertThat(two.show("b1")).isEqualTo(new BookPage(Book.of("b1"), List.of(GOOD)));
    }
}
