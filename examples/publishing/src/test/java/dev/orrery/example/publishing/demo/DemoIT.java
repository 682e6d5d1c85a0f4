package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        judge(run("--seconds=3"));
    }

    @Test
    void theSameIsTrueOfOneAccountThatAllRegionsWriteTo() throws IOException, InterruptedException {
        var result = run("--seconds=3", "--multi-write");
        judge(result.path("accountPerRegion"));
        var one = result.path("oneAccount");
        judge(one);
        assertThat(one.path("publishedEverywhere").asInt()).isPositive();
        assertThat(one.path("foundAlike")).isEqualTo(one.path("publishedEverywhere"));
        assertThat(one.at("/settled/accepted").asLong()).isPositive();
        assertThat(one.at("/settled/conflicts/create/merged").asLong()).isPositive();
        assertThat(one.path("inConflictsFeed").asInt()).isZero();
    }

    private static void judge(JsonNode result) {
        assertThat(result.path("complaints")).isEmpty();
        assertThat(result.path("acknowledged").asInt()).isPositive();
        assertThat(result.path("compared").asInt()).isPositive();
        assertThat(result.path("events").findValuesAsText("kind"))
                .containsExactly("LOST", "FAILED_OVER", "BACK", "CAUGHT_UP", "FAILED_OVER");
    }

    /** What a short run with two regions tells programs. */
    private JsonNode run(String... arguments) throws IOException, InterruptedException {
        var json = folder.resolve("publishing.json");
        var said = folder.resolve("said");
        // In a process of its own: the program cleans up where Java ends.
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorrery.home=" + System.getProperty("orrery.home"),
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                PublishingDemo.class.getName(),
                "--regions=2",
                "--json=" + json,
                "--html=" + folder.resolve("publishing.html")));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as("%s", said).isZero();
        assertThat(said).content().contains("every one is accounted for").doesNotContain("Cannot", "Exception");
        return new ObjectMapper().readTree(json.toFile());
    }
}
