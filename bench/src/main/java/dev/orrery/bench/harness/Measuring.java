package dev.orrery.bench.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that measurements of a running server share, and what comes before and after each of them. */
public final class Measuring {
    /** What is measured, and put into the report. */
    public interface Body {
        void measure(Servers servers) throws Exception;
    }

    @Option(names = "--seconds", paramLabel = "N", description = "Length of one measurement.")
    private int seconds;

    @Option(names = "--rounds", paramLabel = "N", description = "Measurements of each kind; the median counts.")
    private int rounds;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Seconds of load of each kind, or on each server, before it is measured.")
    private int warmupSeconds;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Page to put the tables into, between its two marks, and plots beside it.")
    private Path page;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** With the numbers that count where the command line does not name others. */
    public Measuring(int seconds, int rounds, int warmupSeconds) {
        this.seconds = seconds;
        this.rounds = rounds;
        this.warmupSeconds = warmupSeconds;
    }

    /**
     * Refuses options that make no sense.
     *
     * @param othersFit whether the other options of the command are as the message asks
     */
    public void check(boolean othersFit, String message) {
        if (seconds < 1 || rounds < 1 || warmupSeconds < 1 || !othersFit) {
            throw new ParameterException(command.commandLine(), message);
        }
    }

    public int seconds() {
        return seconds;
    }

    public int rounds() {
        return rounds;
    }

    public int warmupSeconds() {
        return warmupSeconds;
    }

    public Duration length() {
        return Duration.ofSeconds(seconds);
    }

    public Duration warmup() {
        return Duration.ofSeconds(warmupSeconds);
    }

    public Optional<Path> page() {
        return Optional.ofNullable(page);
    }

    /**
     * Measures, and tells what came of it.
     *
     * @param counted which of the measurements the figures are; stands behind the command line in the report
     */
    public int run(Report report, String counted, Body body) throws Exception {
        var home = Servers.findHome();
        var servers = new Servers(home, home.resolve("bench/target/run"));
        servers.clear();
        Files.createDirectories(servers.work());
        report.add(new Machine(home).text());
        report.add("`" + commandLine() + "`: " + counted);
        try {
            body.measure(servers);
        } finally {
            servers.clear();
        }
        System.out.println(report.text());
        page().ifPresent(report::writeInto);
        return 0;
    }

    private String commandLine() {
        var arguments = command.root().commandLine().getParseResult().originalArgs();
        return "./orrery bench " + String.join(" ", arguments);
    }
}
