package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes on the command line are told in one sentence, before anything is done. */
class PublishingDemoTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--regions 1 | --regions must be 2 or 3.",
                "--regions 4 | --regions must be 2 or 3.",
                "--seconds 0 | --seconds must be from 1 to 3600.",
                "--apart -1 | --apart must be from 0 to 2000.",
                "--json /none/x.json | Cannot write /none/x.json.",
                "--html /none/x.html | Cannot write /none/x.html.",
            })
    void aWrongArgumentIsToldBeforeAnythingIsDone(String arguments, String words) {
        var said = new StringWriter();
        int exitCode =
                PublishingDemo.commandLine().setErr(new PrintWriter(said, true)).execute(arguments.split(" ", -1));
        assertThat(said.toString().lines())
                .containsExactly("orrery demo publishing: " + words, "See: orrery demo publishing --help");
        assertThat(exitCode).isEqualTo(2);
    }
}
