package dev.orrery.example.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.cosmos.CosmosException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ServerOptionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"notaurl", "localhost:8081", "ftp://localhost", "http:///x", "http://a b", "AccountKey=x;"})
    void anAddressNeedsASchemeAndAHost(String address) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options("--endpoint", address))
                .withMessage(
                        "Invalid value for option '--endpoint': it must be an address such as http://localhost:8081.");
    }

    @Test
    void aKeyIsInBase64() {
        options("--key", "a2V5").checkKey();
        options().checkKey();
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options("--key", "§§§").checkKey())
                .withMessage("What is given as --key is not a key: it must be in Base64.");
    }

    @Test
    void aServerIsAskedWithItsKeyOrWithThatOfEmulators() {
        assertThat(options("--endpoint", "http://a:1", "--key", "a2V5")
                        .<String>connect((address, key) -> address + key))
                .isEqualTo("http://a:1a2V5");
        assertThat(options("--endpoint", "http://a:1").<String>connect((_, key) -> key))
                .isEqualTo(LocalServer.KEY);
    }

    @Test
    void aServerThatDoesNotAcceptTheKeyIsNotCalledGone() {
        assertThatExceptionOfType(DemoException.class)
                .isThrownBy(() -> options("--endpoint", "http://a:1").connect(ServerOptionsTest::refuse))
                .withMessage("The server at http://a:1 does not accept the key; give its own with --key.");
    }

    @Test
    void dataCannotLieInAFile(@TempDir Path folder) throws IOException {
        var file = Files.createFile(folder.resolve("file"));
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options().start(file))
                .withMessage("Cannot make a folder in " + file + ".");
    }

    @Test
    void aServerOfItsOwnNeedsTheLauncher() {
        assertThatExceptionOfType(DemoException.class)
                .isThrownBy(() -> options().start())
                .withMessage("Start it with ./orrery demo test, or name a server with --endpoint.");
    }

    /** In the way of the SDK, which wraps the answer. */
    private static Object refuse(URI address, String key) {
        throw new IllegalStateException(address + key, new Refusal());
    }

    private static ServerOptions options(String... arguments) {
        var demo = new Demo();
        DemoCommandLine.of(demo).parseArgs(arguments);
        return demo.server;
    }

    @Command(name = "orrery demo test")
    private static final class Demo {
        @Mixin
        private final ServerOptions server = new ServerOptions();
    }

    private static final class Refusal extends CosmosException {
        private static final long serialVersionUID = 1L;

        Refusal() {
            super(401, "kilobytes", Map.of(), null);
        }
    }
}
