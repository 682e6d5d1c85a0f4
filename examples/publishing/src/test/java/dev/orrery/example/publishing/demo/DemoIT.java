package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole program, as short as it can be: two regions, one of which is killed and comes back. It takes minutes, so it runs when
 * it is asked for: {@code -Ddemo.publishing=true}.
 */
@EnabledIfSystemProperty(named = "demo.publishing", matches = "true")
class DemoIT {
    @TempDir
    Path folder;

    @Test
    void nothingIsLostWithARegionAndAllAgreeInTheEnd() throws IOException, InterruptedException {
        var json = folder.resolve("publishing.json");
        var said = folder.resolve("said");
        // In a process of its own: the program cleans up where Java ends.
        var process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dorrery.home=" + System.getProperty("orrery.home"),
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--regions=2",
                        "--seconds=3",
                        "--json=" + json,
                        "--html=" + folder.resolve("publishing.html")))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as("%s", said).isZero();
        var result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.path("complaints")).isEmpty();
        assertThat(result.path("acknowledged").asInt()).isPositive();
        assertThat(result.path("compared").asInt()).isPositive();
        assertThat(result.path("events").findValuesAsText("kind"))
                .containsExactly("LOST", "FAILED_OVER", "BACK", "CAUGHT_UP", "FAILED_OVER");
    }
}
