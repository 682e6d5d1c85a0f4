package dev.orrery.server;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Opens the explorer of a running server in a browser. */
@Command(
        name = "explore",
        description = {
            "Opens the data explorer of a running server in a browser.",
            "",
            "Where no browser can be opened, prints the address to open elsewhere."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  orrery explore",
            "  orrery explore --endpoint http://localhost:9000",
            "  orrery explore --print"
        })
final class ExploreCommand implements Callable<Integer> {
    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "${env:ORRERY_ENDPOINT:-http://localhost:8081}",
            description = "Where the server is (default: ${DEFAULT-VALUE}).")
    private URI endpoint;

    @Option(names = "--print", description = "Print the address, and open nothing.")
    private boolean print;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (endpoint.getHost() == null || !List.of("http", "https").contains(endpoint.getScheme())) {
            throw new ParameterException(
                    spec.commandLine(), "The endpoint must look like http://localhost:8081, not '" + endpoint + "'.");
        }
        var address = endpoint.resolve(RunningServer.EXPLORER_PATH + "/").toString();
        boolean opened =
                !print && opener().map(program -> open(program, address)).orElse(false);
        spec.commandLine().getOut().println(opened ? "Opened " + address : "The explorer is at " + address);
        return 0;
    }

    /** What opens an address on this system; on Linux only where there is a screen. */
    private static Optional<String> opener() {
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.contains("mac")) {
            return Optional.of("open");
        }
        boolean hasScreen = System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null;
        return hasScreen ? Optional.of("xdg-open") : Optional.empty();
    }

    private static boolean open(String program, String address) {
        try {
            return new ProcessBuilder(program, address)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
