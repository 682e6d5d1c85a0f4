package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class PostTest {
    @Test
    void aSummaryHasTheBeginningOfTheContent() {
        assertThat(summaryOf("x".repeat(300))).isEqualTo("x".repeat(100));
        assertThat(summaryOf("short")).isEqualTo("short");
        assertThat(summaryOf("")).isEmpty();
    }

    @Test
    void aSummaryDoesNotCutACharacterInTwo() {
        assertThat(summaryOf("x".repeat(99) + "🪐" + "y")).isEqualTo("x".repeat(99));
        assertThat(summaryOf("x".repeat(98) + "🪐" + "y")).isEqualTo("x".repeat(98) + "🪐");
    }

    @Test
    void aPostWithoutContentIsItsOwnSummary() {
        assertThat(summaryOf(null)).isNull();
    }

    private static String summaryOf(String content) {
        return Post.by(User.of("u", "somebody"), "p", "title", content, Instant.EPOCH)
                .summary()
                .content();
    }
}
