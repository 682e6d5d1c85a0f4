package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.modeling.Embedding.Address;
import dev.orrery.example.modeling.Embedding.ContactDetail;
import dev.orrery.example.modeling.Embedding.People;
import dev.orrery.example.modeling.Embedding.Person;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddingIT {
    @Test
    void embeddedIsReadAndSavedForLess() {
        var tradeOff = Embedding.measure(TestServer.bench("embedding-measured"));

        assertThat(tradeOff.row(Embedding.READ).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(Embedding.SAVE).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(Embedding.CHANGE).isCheaperWithPattern()).isFalse();
    }

    @Test
    void bothModelsKeepDetailsOfDifferentShapesInOrder() {
        var bench = TestServer.bench("embedding");
        for (People people : List.of(new Embedding.Embedded(bench), new Embedding.Normalised(bench))) {
            var addresses = List.of(new Address("1 Main Street", "Springfield", "Utopia"));
            people.save(new Person(
                    "homer",
                    "Homer",
                    "Doe",
                    addresses,
                    List.of(
                            ContactDetail.email("homer@example.org"),
                            ContactDetail.phone("555-0100", 7),
                            ContactDetail.email("doe@example.org"))));
            people.changeEmail("homer", "new@example.org");

            assertThat(people.read("homer"))
                    .isEqualTo(new Person(
                            "homer",
                            "Homer",
                            "Doe",
                            addresses,
                            List.of(
                                    ContactDetail.email("new@example.org"),
                                    ContactDetail.phone("555-0100", 7),
                                    ContactDetail.email("doe@example.org"))));
        }
    }
}
