package dev.orrery.bench.direct;

import dev.orrery.bench.harness.ChildServer;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The official Java SDK in a process of its own, with the libraries that it brings itself.
 *
 * @param server the one that it asks
 */
record SdkClient(ChildServer process, ChildServer server) implements AutoCloseable {
    /** What one measurement says; times in microseconds, processor times for each request. */
    record Sample(double requestsPerSecond, double p50, double p99, double serverCpu, double clientCpu) {
        /** Each figure's own median. */
        static Sample median(List<Sample> samples) {
            return new Sample(
                    Report.median(samples.stream()
                            .mapToDouble(Sample::requestsPerSecond)
                            .toArray()),
                    Report.median(samples.stream().mapToDouble(Sample::p50).toArray()),
                    Report.median(samples.stream().mapToDouble(Sample::p99).toArray()),
                    Report.median(
                            samples.stream().mapToDouble(Sample::serverCpu).toArray()),
                    Report.median(
                            samples.stream().mapToDouble(Sample::clientCpu).toArray()));
        }
    }

    /** @param mode {@code gateway} or {@code direct} */
    static SdkClient start(Servers servers, HttpContender orrery, String mode) throws InterruptedException {
        Path jar = servers.home().resolve("bench-sdk/target/dist/lib/orrery-bench-sdk.jar");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-jar",
                jar.toString(),
                "https://" + orrery.secure().host(),
                orrery.key(),
                mode));
        var process = ChildServer.start(
                command, Map.of(), servers.work(), servers.work().resolve(mode + ".log"));
        process.awaitLine("ready", Duration.ofMinutes(1));
        return new SdkClient(process, orrery.server());
    }

    Sample measure(String kind, int inFlight, Duration length) throws InterruptedException {
        var before = server.cpu();
        process.tell("%s %d %d".formatted(kind.toLowerCase(Locale.ROOT), inFlight, length.toSeconds()));
        var words = process.awaitLine("done ", length).split(" ", -1);
        double requests = Double.parseDouble(words[1]);
        double serverCpu = server.cpu()
                .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / requests)
                .orElse(Double.NaN);
        return new Sample(
                requests / Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Double.parseDouble(words[4]),
                serverCpu,
                Double.parseDouble(words[5]) / requests);
    }

    @Override
    public void close() {
        process.close();
    }
}
