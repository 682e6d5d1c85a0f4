package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.modeling.RelationshipSide.Book;
import dev.orrery.example.modeling.RelationshipSide.Catalogue;
import dev.orrery.example.modeling.RelationshipSide.OnTheBook;
import dev.orrery.example.modeling.RelationshipSide.OnThePublisher;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelationshipSideIT {
    @Test
    void aBookIsAddedForLessWhereItNamesItsPublisherAndIdsAreListedForLessWhereThePublisherHasThem() {
        var tradeOff = RelationshipSide.measure(TestServer.bench("side-measured"));

        assertThat(tradeOff.row(RelationshipSide.ADD).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(RelationshipSide.LIST_IDS).isCheaperWithOpposite())
                .isTrue();
    }

    @Test
    void bothModelsListTheBooksOfOnePublisherOnly() {
        var bench = TestServer.bench("side");
        var first = new Book("b1", "north", "First", 1999);
        var second = new Book("b2", "north", "Second", 2001);
        var other = new Book("b3", "south", "Other", 2002);
        for (Catalogue catalogue : List.of(new OnTheBook(bench), new OnThePublisher(bench))) {
            List.of("north", "south", "none").forEach(catalogue::addPublisher);
            List.of(second, first, other).forEach(catalogue::add);

            assertThat(catalogue.books("north")).containsExactly(first, second);
            assertThat(catalogue.bookIds("north")).containsExactly("b1", "b2");
            assertThat(catalogue.books("south")).containsExactly(other);
            assertThat(catalogue.bookIds("none")).isEmpty();
        }
    }
}
