package dev.orrery.server;

import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** What tools expect that were made for the official emulators. */
final class EmulatorOptions {
    private static final Logger LOG = LoggerFactory.getLogger(EmulatorOptions.class);

    private static final int DEFAULT_HEALTH_PORT = 8080;

    @Option(
            names = "--emulator",
            description = {
                "Stand in for the official emulators: heed their environment variables, print what",
                "test tools wait for, keep nothing unless told to, and answer probes on --health-port."
            })
    private boolean emulator;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            description =
                    "Port for probes at /, /alive, /ready and /status (default: 8080 with --emulator, else none).")
    private String healthPort;

    /** The variables of the emulators, for whoever wants to stand in for them. */
    Map<String, String> environment(Map<String, String> variables, Optional<Integer> port) {
        if (!emulator) {
            return Map.of();
        }
        var environment = EmulatorEnvironment.read(variables, port);
        environment.notes().forEach(LOG::warn);
        return environment.settings();
    }

    Emulation emulation(Given given) {
        var wanted = given.text(healthPort, "healthPort");
        var port = wanted.isEmpty() && emulator ? Optional.of(DEFAULT_HEALTH_PORT) : wanted.map(EmulatorOptions::port);
        return new Emulation(emulator, port);
    }

    private static int port(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 65_535) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too large.
        }
        throw new UserError("The port for probes must be from 0 to 65535, not '" + text + "'.");
    }
}
