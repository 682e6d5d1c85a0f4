package dev.orrery.example.modeling.demo;

import dev.orrery.example.common.DemoException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where and when it was measured: figures without this mean nothing to others. */
final class Occasion {
    private static final String KEY_OPTION = "--key";

    private Occasion() {}

    /** @param server which server was asked */
    static String text(String server) {
        return "Measured on " + LocalDate.now(ZoneOffset.UTC) + " on " + server + ": " + processor() + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name")
                + ", JDK "
                + Runtime.version() + ", load average before the start " + loadAverage() + ".";
    }

    /** How to ask for it again, without the key: the page is for everybody. */
    static String command(List<String> arguments) {
        var shown = new ArrayList<>(List.of("./orrery", "demo", "modeling"));
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(KEY_OPTION)) {
                i++;
            } else if (!arguments.get(i).startsWith(KEY_OPTION + "=")) {
                shown.add(arguments.get(i));
            }
        }
        return String.join(" ", shown);
    }

    /** The commit of a source tree. */
    static String commit(Path home) {
        try {
            var git = new ProcessBuilder(List.of("git", "describe", "--always", "--dirty"))
                    .directory(home.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? "unknown" : text;
        } catch (IOException _) {
            return "unknown"; // a source archive, or no git
        }
    }

    private static String loadAverage() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    private static String processor() {
        var file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return System.getProperty("os.arch");
        }
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            throw new DemoException("Cannot read " + file + ": " + e.getMessage());
        }
    }
}
