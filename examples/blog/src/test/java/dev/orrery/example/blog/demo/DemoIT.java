package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.example.blog.BlogClient;
import dev.orrery.example.common.LocalServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole program, as small as it can be, against a server that was there before it. */
class DemoIT {
    private static final String FEW_CALLS = "Times of fewer than 200 calls";

    @TempDir
    Path folder;

    @Test
    void whatIsKeptIsNamedInTheEnd() throws IOException, InterruptedException {
        var page = folder.resolve("blog.html");
        try (var server = LocalServer.start(
                        Path.of(System.getProperty("orrery.home")), folder.resolve("server.log"), "--memory");
                var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            var said = run(
                    "--endpoint",
                    server.endpoint().toString(),
                    "--users=1",
                    "--calls=1",
                    "--versions=V1",
                    "--database=kept",
                    "--keep",
                    "--html",
                    page.toString());
            assertThat(said)
                    .endsWith("Left on the server: kept-v1, kept-report")
                    .anyMatch(line -> line.contains(FEW_CALLS));
            assertThat(page).content().contains(FEW_CALLS);
            assertThat(client.account().hasDatabase("kept-v1")).isTrue();
            var report = client.database("kept-report")
                    .getContainer("reports")
                    .readItem("blog", new PartitionKey("blog"), JsonNode.class)
                    .getItem();
            assertThat(report.path("users").asInt()).isEqualTo(1);
            assertThat(report.path("rows")).hasSize(10);
        }
    }

    /** In a process of its own: the program cleans up where Java ends. */
    private static List<String> run(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                BlogDemo.class.getName()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said.lines().toList();
    }
}
