package dev.orrery.bench.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process of its own, so that what it costs can be told from what it costs to ask it. */
public final class ChildServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration SETTLED_MAX = Duration.ofMinutes(5);
    private static final double SETTLED_CPU_SHARE = 0.05;

    /** Put behind the last line of a process that has ended. */
    private static final String END = "\0";

    private final Process process;
    private final Path errors;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildServer(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        // Whatever ends this process ends the other one, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        // Not a virtual thread: one that waits for a pipe keeps its carrier, and there are no more of those than cores.
        Thread.ofPlatform().daemon().start(this::readLines);
    }

    /**
     * Starts a process.
     *
     * @param errors the file for what it says on stderr, shown when it fails
     */
    public static ChildServer start(List<String> command, Map<String, String> environment, Path folder, Path errors) {
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        try {
            return new ChildServer(builder.start(), errors);
        } catch (IOException e) {
            throw new BenchException("Cannot start " + command.getFirst() + ": " + e.getMessage(), e);
        }
    }

    /** The next line of its output that begins so. */
    public String awaitLine(String prefix, Duration moreThanUsual) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.plus(moreThanUsual).toNanos();
        while (true) {
            String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                throw new BenchException("A server did not say '" + prefix + "'; its last words:\n" + lastWords());
            }
            if (line.startsWith(prefix)) {
                return line;
            }
        }
    }

    public void tell(String line) {
        try {
            Writer out = process.outputWriter();
            out.write(line + "\n");
            out.flush();
        } catch (IOException e) {
            throw new BenchException("A server has ended; its last words:\n" + lastWords(), e);
        }
    }

    /** User and system time of all its threads; absent where the system does not tell. */
    public Optional<Duration> cpu() {
        return process.info().totalCpuDuration();
    }

    /** Waits until it has put its files in order. */
    public void settle() throws InterruptedException {
        long end = System.nanoTime() + SETTLED_MAX.toNanos();
        double share = 1;
        while (share > SETTLED_CPU_SHARE && System.nanoTime() < end && cpu().isPresent()) {
            var before = cpu().orElseThrow();
            Thread.sleep(1_000);
            share = cpu().orElseThrow().minus(before).toNanos() / 1e9;
        }
    }

    /** Memory in use; absent where there is no {@code /proc}. */
    public OptionalDouble residentMegabytes() {
        var status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return OptionalDouble.empty();
        }
        try (var rows = Files.lines(status)) {
            return rows.filter(row -> row.startsWith("VmRSS:"))
                    .mapToDouble(row -> Double.parseDouble(row.replaceAll("\\D", "")) / 1024)
                    .findFirst();
        } catch (IOException e) {
            throw new BenchException("Cannot read " + status, e);
        }
    }

    /** Ends it as a crash would: it has no time for anything. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void readLines() {
        try (var reader = process.inputReader()) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException _) {
            // It has been ended; there is nothing more to read.
        }
        lines.add(END);
    }

    private String lastWords() {
        try {
            var text = Files.readString(errors, StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - 4000));
        } catch (IOException e) {
            return "(unknown: " + e + ")";
        }
    }
}
