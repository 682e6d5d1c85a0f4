package dev.orrery.example.common;

import static dev.orrery.example.common.DemoCommandLine.demand;
import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.azure.cosmos.CosmosException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BiFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which server a demo asks: one of its own, which ends with it, or one that is there. */
public final class ServerOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec demo;

    @Option(names = "--memory", description = "let the server keep everything in memory")
    private boolean memory;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            converter = ServerAddress.class,
            description = "use the server there instead of one of its own")
    private URI endpoint;

    @Option(names = "--key", paramLabel = "KEY", description = "the key of that server (default: that of emulators)")
    private String key;

    private volatile LocalServer server;

    /** Whether the demo starts one, as none was named. */
    public boolean isOwn() {
        return endpoint == null;
    }

    /** Where the one is that was named. */
    public Optional<URI> endpoint() {
        return Optional.ofNullable(endpoint);
    }

    public boolean inMemory() {
        return memory;
    }

    public boolean hasKey() {
        return key != null;
    }

    public void checkKey() {
        demand(demo, key == null || isBase64(key), "What is given as --key is not a key: it must be in Base64.");
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Connects to the one that was named. */
    public <T> T connect(BiFunction<URI, String, T> client) {
        try {
            return client.apply(endpoint, key == null ? LocalServer.KEY : key);
        } catch (RuntimeException failure) { // The SDK has no type of its own for it.
            if (failure.getCause() instanceof CosmosException answer && answer.getStatusCode() == HTTP_UNAUTHORIZED) {
                throw new DemoException(
                        "The server at " + endpoint + " does not accept the key; give its own with --key.", failure);
            }
            if (Explanation.find(failure, CertificateException.class).isPresent()) {
                throw new DemoException(
                        "The certificate of the server at " + endpoint + " is not trusted; name a trust store that has"
                                + " it with ORRERY_JAVA_OPTS=-Djavax.net.ssl.trustStore=FILE.",
                        failure);
            }
            throw new DemoException("No server answers at " + endpoint + ".", failure);
        }
    }

    /** Starts a server of its own, with its data where temporary files are. */
    public LocalServer start() {
        return start(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Starts a server of its own.
     *
     * @param parent where to make the folder for its data
     */
    public LocalServer start(Path parent) {
        var folder = makeFolder(demo, parent);
        // However this ends, also by Ctrl-C, neither the server nor its data stays behind.
        Ending.add(() -> {
            if (server != null) {
                server.kill();
            }
            remove(folder);
        });
        server = start(home(), folder);
        return server;
    }

    private LocalServer start(Path home, Path folder) {
        var options = memory
                ? new String[] {"--memory"}
                : new String[] {"--data", folder.resolve("data").toString()};
        try {
            return LocalServer.start(home, folder.resolve("server.log"), options);
        } catch (IllegalStateException | UncheckedIOException failure) {
            throw new DemoException(failure.getMessage(), failure);
        }
    }

    /** The source tree whose launcher has started the demo. */
    public Path home() {
        return findHome()
                .orElseThrow(() ->
                        new DemoException("Start it with ./" + demo.name() + ", or name a server with --endpoint."));
    }

    /** The same, for a demo that always starts servers of its own. */
    public static Path home(CommandSpec demo) {
        return findHome().orElseThrow(() -> new DemoException("Start it with ./" + demo.name() + "."));
    }

    private static Optional<Path> findHome() {
        return Optional.ofNullable(System.getProperty("orrery.home")).map(Path::of);
    }

    /** Makes a folder for what servers keep. */
    public static Path makeFolder(CommandSpec demo, Path parent) {
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), "orrery-demo");
        } catch (IOException _) {
            throw new ParameterException(demo.commandLine(), "Cannot make a folder in " + parent + ".");
        }
    }

    /** Removes such a folder. */
    public static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            System.err.println("Cannot remove " + folder + ": " + failure.getMessage());
        }
    }
}
