package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.Limits;
import org.junit.jupiter.api.Test;

class LogReadersTest {
    private final LogReaders readers = new LogReaders();

    @Test
    void aLogWithoutReadersMayBeShortenedAsFarAsItIsOld() {
        assertThat(readers.trimmable(100)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theReaderWhoIsFarthestBehindDecides() {
        readers.note("north", 40);
        readers.note("south", 60);
        assertThat(readers.trimmable(100)).isEqualTo(40);

        readers.note("north", 80);
        readers.note("north", 30);
        assertThat(readers.trimmable(100)).as("what he had he has").isEqualTo(60);

        readers.dismiss("south");
        assertThat(readers.trimmable(100)).isEqualTo(80);
    }

    @Test
    void aReaderWhoIsTooFarBehindIsLetGoOf() {
        readers.note("lost", 10);
        readers.note("late", 20);
        assertThat(readers.trimmable(Limits.LOG_KEPT_CHANGES_MAX + 11L)).isEqualTo(20);
        assertThat(readers.trimmable(30)).as("for good").isEqualTo(20);
    }
}
