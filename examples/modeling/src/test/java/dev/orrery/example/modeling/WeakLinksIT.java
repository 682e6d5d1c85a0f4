package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.cosmos.CosmosException;
import dev.orrery.example.modeling.WeakLinks.Book;
import dev.orrery.example.modeling.WeakLinks.Publisher;
import org.junit.jupiter.api.Test;

class WeakLinksIT {
    @Test
    void checkingIsPaidByWritesOnly() {
        var tradeOff = WeakLinks.measure(TestServer.bench("links-measured"));

        assertThat(tradeOff.row(WeakLinks.ADD).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(WeakLinks.REMOVE).isCheaperWithPattern()).isTrue();
        var read = tradeOff.row(WeakLinks.READ);
        assertThat(read.pattern().requestUnits()).isEqualTo(read.opposite().requestUnits());
        assertThat(tradeOff.findings())
                .containsExactly(
                        "A book of a publisher that does not exist is accepted when unchecked and refused with 400"
                            + " when checked; the removal of a publisher that has books is accepted and refused with"
                            + " 400.");
    }

    @Test
    void uncheckedTakesABookOfNobodyAndLosesAPublisher() {
        var catalogue = new WeakLinks.Unchecked(TestServer.bench("links-unchecked"));
        catalogue.add(Book.of("lost", "nobody"));
        assertThat(catalogue.book("nobody", "lost")).isEqualTo(Book.of("lost", "nobody"));

        catalogue.add(Publisher.of("press"));
        catalogue.add(Book.of("book", "press"));
        catalogue.remove("press");
        assertThat(catalogue.book("press", "book")).isEqualTo(Book.of("book", "press"));
    }

    @Test
    void checkedRefusesABookOfNobodyAndKeepsAPublisherThatHasBooks() {
        var catalogue = new WeakLinks.Checked(TestServer.bench("links-checked"));
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.add(Book.of("lost", "nobody")))
                .withMessageContaining("There is no publisher nobody.");
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.book("nobody", "lost"))
                .satisfies(refused -> assertThat(refused.getStatusCode()).isEqualTo(404));

        catalogue.add(Publisher.of("press"));
        catalogue.add(Book.of("book", "press"));
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.remove("press"))
                .withMessageContaining("The publisher press still has books.");
        catalogue.add(Book.of("another", "press"));
        assertThat(catalogue.book("press", "another")).isEqualTo(Book.of("another", "press"));

        catalogue.add(Publisher.of("empty"));
        catalogue.remove("empty");
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> catalogue.add(Book.of("late", "empty")))
                .withMessageContaining("There is no publisher empty.");
    }
}
