package dev.orrery.bench.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/** Where and when it was measured: figures without this mean nothing to others. */
public record Machine(Path home) {
    public String text() {
        return "Measured on " + LocalDate.now(ZoneOffset.UTC) + " at commit " + commit() + ": "
                + processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", JDK "
                + Runtime.version() + ", load average before the start " + loadAverage() + ".";
    }

    private static String loadAverage() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    private static String processor() {
        var file = Path.of("/proc/cpuinfo");
        if (Files.exists(file)) {
            try (var lines = Files.lines(file)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
            } catch (IOException e) {
                throw new BenchException("Cannot read " + file, e);
            }
        }
        return System.getProperty("os.arch");
    }

    private String commit() {
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
}
