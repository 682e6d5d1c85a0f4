package dev.orrery.example.modeling.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes on the command line are told in one sentence, before anything is done. */
class ModelingDemoTest {
    private static final String SEE_HELP = "See: orrery demo modeling --help";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--runs 0 | --runs must be at least 1, --throughput at least 400 and in steps of 100.",
                "--throughput 450 | --runs must be at least 1, --throughput at least 400 and in steps of 100.",
                "--key a2V5 | --key is for a server named with --endpoint.",
                "--memory --endpoint http://localhost:1 | --memory is for a server of its own, not for one named with"
                        + " --endpoint.",
                "--endpoint localhost:1 | Invalid value for option '--endpoint': it must be an address such as"
                        + " http://localhost:8081.",
                "--endpoint http://localhost:1 --key §§§ | What is given as --key is not a key: it must be in Base64.",
                "--database a/b | --database must be a name without / \\ ? and #, of at most 230 characters.",
                "--markdown /none/x.md | Cannot write /none/x.md; it must be a page that is there.",
                "--markdown / | Cannot read /.",
            })
    void aWrongArgumentIsToldBeforeAnythingIsDone(String arguments, String words) {
        assertRefused(words, arguments.split(" ", -1));
    }

    @Test
    void aPageNeedsAPlaceForEachPatternThatIsTried(@TempDir Path folder) throws IOException {
        var page = Files.writeString(folder.resolve("page.md"), """
            <!-- demo modeling surroundings: begin -->
            <!-- demo modeling surroundings: end -->
            """);
        assertRefused(
                "The page has no place for the figures: it needs the lines <!-- demo modeling embed: begin --> and"
                        + " <!-- demo modeling embed: end -->",
                "embed",
                "--markdown",
                page.toString());
    }

    @Test
    void aServerThatIsNotThereIsToldInOneSentence() {
        var said = new StringWriter();
        int exitCode = run(said, "--endpoint", "http://localhost:1");
        assertThat(said.toString().lines())
                .containsExactly("orrery demo modeling: No server answers at http://localhost:1.");
        assertThat(exitCode).isEqualTo(1);
    }

    private static void assertRefused(String words, String... arguments) {
        var said = new StringWriter();
        int exitCode = run(said, arguments);
        assertThat(said.toString().lines()).containsExactly("orrery demo modeling: " + words, SEE_HELP);
        assertThat(exitCode).isEqualTo(2);
    }

    private static int run(StringWriter said, String... arguments) {
        return ModelingDemo.commandLine().setErr(new PrintWriter(said, true)).execute(arguments);
    }
}
