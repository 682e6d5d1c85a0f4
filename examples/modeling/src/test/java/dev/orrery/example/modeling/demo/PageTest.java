package dev.orrery.example.modeling.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orrery.example.common.DemoException;
import dev.orrery.example.modeling.Cost;
import dev.orrery.example.modeling.Pattern;
import dev.orrery.example.modeling.Row;
import dev.orrery.example.modeling.TradeOff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PageTest {
    private static final Path GUIDE = Path.of("../../docs/modeling.md");
    private static final TradeOff TRADE_OFF = new TradeOff(
            "together",
            "separate",
            List.of(new Row("read a person", new Cost(1, 0.5), new Cost(1_234.5, 2))),
            List.of("And that is that."));

    @TempDir
    Path folder;

    @Test
    void aSectionHasATableItsConclusionAndWhatElseWasFound() {
        assertThat(Page.section(TRADE_OFF)).isEqualTo("""
            | to …          | together: RU |   ms | separate: RU |   ms | RU: separate / together |
            |---------------|-------------:|-----:|-------------:|-----:|------------------------:|
            | read a person |         1.00 | 0.50 |     1,234.50 | 2.00 |                1,234.50 |

            “separate” costs 1,235 times as much to read a person.

            And that is that.
            """);
    }

    @Test
    void onlyWhatIsBetweenTheMarksIsWritten() throws IOException {
        var page = folder.resolve("page.md");
        Files.writeString(page, """
            before
            <!-- demo modeling surroundings: begin -->
            old
            <!-- demo modeling surroundings: end -->
            between
            <!-- demo modeling embed: begin -->
            <!-- demo modeling embed: end -->
            after
            """);
        Page.write(page, "Here.", Map.of(Pattern.EMBED, TRADE_OFF));
        assertThat(Files.readString(page))
                .startsWith("before\n")
                .contains("begin -->\n\nHere.\n\n<!-- demo modeling surroundings: end -->\nbetween\n")
                .contains("begin -->\n\n" + Page.section(TRADE_OFF) + "\n<!-- demo modeling embed: end -->")
                .doesNotContain("old")
                .endsWith("\nafter\n");
    }

    @Test
    void aPageWithoutAPlaceIsRefused() {
        assertThatExceptionOfType(DemoException.class)
                .isThrownBy(() -> Page.replace("nothing", "embed", "text"))
                .withMessageContaining("<!-- demo modeling embed: begin -->");
    }

    @ParameterizedTest
    @EnumSource
    void theGuideHasAPlaceForEveryPattern(Pattern pattern) throws IOException {
        var guide = Files.readString(GUIDE);
        assertThat(guide).containsPattern("(?m)^## \\d\\. " + pattern.title() + "$");
        assertThat(Page.replace(guide, pattern.label(), "here")).contains("here");
    }
}
