package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Holds the files for containers to what the build makes and the program knows: nothing here can build a container. */
class ContainerFilesTest {
    private static final Path HOME = Path.of("..");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String dockerfile = read("Dockerfile");

    @Test
    void theEntryPointIsACommandThatTheProgramKnows() throws IOException {
        var words = new ArrayList<>(words("ENTRYPOINT"));
        assertThat(words.removeFirst()).isEqualTo("/opt/orrery/orrery");
        words.addAll(words("CMD"));
        assertKnown(words);
        assertThat(words).contains("--host", "0.0.0.0", "--data", "/var/lib/orrery");
    }

    @Test
    void theHealthChecksAreCommandsThatTheProgramKnows() throws IOException {
        var health = Pattern.compile("(?m)^HEALTHCHECK .*CMD (\\[.*])$").matcher(dockerfile);
        assertThat(health.find()).isTrue();
        var words = JSON.readTree(health.group(1));
        assertThat(words.get(0).textValue()).isEqualTo("/opt/orrery/orrery");
        assertKnown(texts(words).subList(1, words.size()));

        var compose = texts(service().path("healthcheck").path("test"));
        assertThat(compose.getFirst()).isEqualTo("CMD");
        assertThat(compose.subList(1, compose.size())).isEqualTo(texts(words));
    }

    @Test
    void theComposeFileStartsTheServerUnderTheNameOfItsService() throws IOException {
        var command = texts(service().path("command"));
        var words = new ArrayList<>(
                words("ENTRYPOINT").subList(1, words("ENTRYPOINT").size()));
        words.addAll(command);
        assertKnown(words);
        assertThat(command).containsSubsequence("--certificate-name", "orrery");
        for (var port : service().path("ports")) {
            var mapped = port.textValue().split(":", -1);
            assertThat(mapped[0]).as("only this machine").isEqualTo("127.0.0.1");
            assertThat(dockerfile).containsPattern("(?m)^EXPOSE .*\\b" + mapped[2] + "\\b");
        }
    }

    @Test
    void whatIsCopiedIsWhatTheBuildMakesAndTheLauncherLooksFor() {
        assertThat(dockerfile)
                .contains("COPY --from=build /src/orrery ./", "/src/server/target/dist ./server/target/dist");
        assertThat(read("orrery")).contains("dist=$home/server/target/dist");
        assertThat(HOME.resolve("server/src/main/dist/jvm.options")).exists();
        var training = Pattern.compile("dev\\.orrery\\.server\\.Main (.*) \\\\").matcher(dockerfile);
        assertThat(training.find()).isTrue();
        assertKnown(List.of(training.group(1).split(" ", -1)));
    }

    private static void assertKnown(List<String> words) {
        var parsed = new CommandLine(new StartCommand())
                .getCommandSpec()
                .optionsMap()
                .keySet();
        var commands = List.of("start", "health");
        assertThat(commands).contains(words.getFirst());
        assertThat(words.stream().filter(word -> word.startsWith("--"))).allMatch(parsed::contains);
    }

    private List<String> words(String instruction) throws IOException {
        var line = Pattern.compile("(?m)^" + instruction + " (\\[.*])$").matcher(dockerfile);
        assertThat(line.find()).as(instruction).isTrue();
        return texts(JSON.readTree(line.group(1)));
    }

    private static JsonNode service() throws IOException {
        return new ObjectMapper(new YAMLFactory())
                .readTree(read("compose.yaml"))
                .path("services")
                .path("orrery");
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(node -> texts.add(node.textValue()));
        return texts;
    }

    private static String read(String name) {
        try {
            return Files.readString(HOME.resolve(name));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
