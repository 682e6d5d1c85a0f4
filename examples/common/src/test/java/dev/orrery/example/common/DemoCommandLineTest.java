package dev.orrery.example.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class DemoCommandLineTest {
    private final StringWriter said = new StringWriter();

    @Test
    void aMistakeIsToldInOneSentenceWithWhereToLook() {
        assertThat(run(() -> 0, "--nonsense")).isEqualTo(2);
        assertThat(said.toString().lines())
                .containsExactly("orrery demo test: Unknown option: '--nonsense'", "See: orrery demo test --help");
    }

    @Test
    void aFailureIsToldInOneSentence() {
        assertThat(run(() -> {
                    throw new DemoException("The disk is full.");
                }))
                .isEqualTo(1);
        assertThat(said.toString().lines()).containsExactly("orrery demo test: The disk is full.");
    }

    @Test
    void whatMustNotHappenKeepsItsStackTrace() {
        assertThat(run(() -> {
                    throw new IllegalStateException("a bug");
                }))
                .isEqualTo(1);
        assertThat(said.toString().lines())
                .startsWith("java.lang.IllegalStateException: a bug")
                .anyMatch(line -> line.startsWith("\tat "));
    }

    private int run(Callable<Integer> work, String... arguments) {
        return DemoCommandLine.of(new Demo(work))
                .setErr(new PrintWriter(said, true))
                .execute(arguments);
    }

    @Command(name = "orrery demo test")
    private record Demo(Callable<Integer> work) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return work.call();
        }
    }
}
