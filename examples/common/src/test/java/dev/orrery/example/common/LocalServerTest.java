package dev.orrery.example.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a server is started and ended, with a script in the place of the launcher. */
class LocalServerTest {
    /** Notes how it was called, and runs on as {@code sleep}, which any signal ends. */
    private static final String READY = """
        echo "$@" >>calls
        echo "Orrery is ready: http://localhost:$3 (in memory)"
        exec sleep 600
        """;

    @TempDir
    Path folder;

    @Test
    void itsAddressIsTheOneThatItIsGiven() throws IOException {
        int port;
        try (var server = start(READY, "--memory")) {
            port = server.endpoint().getPort();
            assertThat(server.endpoint()).isEqualTo(URI.create("http://localhost:" + port));
        }
        assertThat(calls()).containsExactly("start --port " + port + " --memory");
    }

    @Test
    void whatItUnpacksLiesWhereItIsRemovedWithTheRest() throws IOException {
        try (var _ = start("echo \"$ROCKSDB_SHAREDLIB_DIR\" >>unpacked\n" + READY)) {
            assertThat(Files.readAllLines(folder.resolve("unpacked"))).containsExactly(folder.toString());
        }
    }

    @Test
    void itStartsAgainAtTheSameAddress() throws IOException {
        int port;
        try (var server = start(READY, "--memory")) {
            port = server.endpoint().getPort();
            server.kill();
            server.restart();
        }
        var call = "start --port " + port + " --memory";
        assertThat(calls()).containsExactly(call, call);
    }

    @Test
    void itDoesNotStartAgainWhileItRuns() throws IOException {
        try (var server = start(READY)) {
            assertThatIllegalStateException().isThrownBy(server::restart).withMessage("the server still runs");
        }
    }

    @Test
    void whyItDoesNotStartIsToldInItsOwnWords() {
        assertThatIllegalStateException()
                .isThrownBy(() -> start("echo 'The disk is full.' >&2\nexit 1\n"))
                .withMessage("The server did not start, and said:\nThe disk is full.\n");
    }

    @Test
    void aLauncherThatIsNotThereIsNamed() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> LocalServer.start(folder, folder.resolve("server.log")))
                .withMessage("cannot start " + folder.resolve("orrery"));
    }

    private LocalServer start(String script, String... options) throws IOException {
        var launcher = Files.writeString(folder.resolve("orrery"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        return LocalServer.start(folder, folder.resolve("server.log"), options);
    }

    private Iterable<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }
}
