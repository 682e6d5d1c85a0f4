package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.modeling.ManyToMany.Library;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyToManyIT {
    @Test
    void arraysAreReadForLessAndJoiningItemsWrittenForLess() {
        var tradeOff = ManyToMany.measure(TestServer.bench("many-measured"));

        assertThat(tradeOff.row(ManyToMany.BOOKS_OF).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(ManyToMany.AUTHORS_OF).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(ManyToMany.LINK).isCheaperWithOpposite()).isTrue();
    }

    @Test
    void aLinkCanBeFollowedFromBothEnds() {
        var bench = TestServer.bench("many");
        for (Library library : List.of(new ManyToMany.IdsOnBothSides(bench), new ManyToMany.JoiningItems(bench))) {
            List.of("ada", "bob", "eve").forEach(library::addAuthor);
            List.of("one", "two").forEach(library::addBook);
            library.link("ada", "one");
            library.link("bob", "one");
            library.link("ada", "two");

            assertThat(library.booksOf("ada")).containsExactly("Title of one", "Title of two");
            assertThat(library.booksOf("bob")).containsExactly("Title of one");
            assertThat(library.booksOf("eve")).isEmpty();
            assertThat(library.authorsOf("one")).containsExactly("Name of ada", "Name of bob");
            assertThat(library.authorsOf("two")).containsExactly("Name of ada");
        }
    }
}
