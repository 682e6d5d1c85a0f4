package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes on the command line are told in one sentence, before anything is done. */
class BlogDemoTest {
    private static final String SEE_HELP = "See: orrery demo blog --help";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--users 0 | --users must be from 1 to 100000.",
                "--users 100001 | --users must be from 1 to 100000.",
                "--throughput 300 | --throughput must be at least 400 and in steps of 100.",
                "--throughput 450 | --throughput must be at least 400 and in steps of 100.",
                "--calls 0 | --calls must be from 1 to 100000.",
                "--calls 214748365 | --calls must be from 1 to 100000.",
                "--json x.out --html ./x.out | --json and --html must be two files.",
                "--key a2V5 | --key and --keep are for a server named with --endpoint.",
                "--keep | --key and --keep are for a server named with --endpoint.",
                "--memory --endpoint http://localhost:1 | --memory and --folder are for a server of its own, not for"
                        + " one named with --endpoint.",
                "--folder x --endpoint http://localhost:1 | --memory and --folder are for a server of its own, not for"
                        + " one named with --endpoint.",
                "--endpoint localhost:1 | Invalid value for option '--endpoint': it must be an address such as"
                        + " http://localhost:8081.",
                "--endpoint http://localhost:1 --key §§§ | What is given as --key is not a key: it must be in Base64.",
                "--database a/b | --database must be a name without / \\ ? and #, of at most 250 characters.",
                "--json /none/x.json | Cannot write /none/x.json.",
                "--html /none/x.html | Cannot write /none/x.html.",
                "--html / | Cannot write /.",
            })
    void aWrongArgumentIsToldBeforeAnythingIsDone(String arguments, String words) {
        assertRefused(words, arguments.split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "small.json,,large.json"})
    void growthIsToldOfFilesThatHaveNames(String files) {
        assertRefused("--growth needs the names of files that runs wrote with --json.", "--growth", files);
    }

    @Test
    void dataCannotLieInAFile() throws Exception {
        var file = Files.createFile(folder.resolve("file"));
        assertRefused("Cannot make a folder in " + file + ".", "--html", html(), "--folder", file.toString());
    }

    @Test
    void aServerThatIsNotThereIsToldInOneSentence() {
        var said = new StringWriter();
        int exitCode = run(said, "--html", html(), "--endpoint", "http://localhost:1");
        assertThat(said.toString().lines())
                .containsExactly("orrery demo blog: No server answers at http://localhost:1.");
        assertThat(exitCode).isEqualTo(1);
    }

    private String html() {
        return folder.resolve("blog.html").toString();
    }

    private static void assertRefused(String words, String... arguments) {
        var said = new StringWriter();
        int exitCode = run(said, arguments);
        assertThat(said.toString().lines()).containsExactly("orrery demo blog: " + words, SEE_HELP);
        assertThat(exitCode).isEqualTo(2);
    }

    private static int run(StringWriter said, String... arguments) {
        return BlogDemo.commandLine().setErr(new PrintWriter(said, true)).execute(arguments);
    }
}
