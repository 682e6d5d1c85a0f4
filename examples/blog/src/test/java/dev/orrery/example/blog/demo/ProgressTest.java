package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void whatWasDoneIsToldWithItsTime() {
        assertThat(saidAfter(532_512)).matches("load: 532,512 in \\d+\\.\\d s, [\\d,]+ a second");
    }

    @Test
    void whatHasStoppedOnItsWayDoesNotReadLikeSuccess() {
        assertThat(saidAfter(41_442)).isEqualTo("load: stopped after 41,442 of 532,512");
    }

    private static String saidAfter(int items) {
        var bytes = new ByteArrayOutputStream();
        try (var progress = new Progress("load", 532_512, new PrintStream(bytes, true, StandardCharsets.UTF_8))) {
            progress.add(items);
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList().getLast();
    }
}
