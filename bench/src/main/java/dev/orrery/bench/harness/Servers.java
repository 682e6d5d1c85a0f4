package dev.orrery.bench.harness;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Starts the contenders.
 *
 * @param home the source tree, with everything built
 * @param work a folder on a real disk; what is measured there would mean little in a file system in memory
 */
public record Servers(Path home, Path work) {
    private static final String KEY =
            Base64.getEncoder().encodeToString("a key for measurements".getBytes(StandardCharsets.US_ASCII));
    private static final Pattern READY = Pattern.compile("Orrery is ready: http://localhost:(\\d+) .*");
    private static final String EMULATOR = "@vercel/cosmosdb-server";
    private static final String EMULATOR_VERSION = "1.0.1";
    // Its command line would close the connection after each reply; its library does not have to.
    private static final String EMULATOR_SCRIPT = """
        const { createHttpServer, createHttpsServer } = require("%s");
        const plain = createHttpServer({ keepAlive: true }).listen(0, "127.0.0.1", () => {
            const secure = createHttpsServer({ keepAlive: true }).listen(0, "127.0.0.1", () =>
                console.log(`ready ${plain.address().port} ${secure.address().port}`));
        });
        """.formatted(EMULATOR);

    /** A server that is ready, and how long that took from the start of its launcher. */
    public record Started(HttpContender contender, Duration time) {}

    /** The source tree that this program was built in. */
    static Path findHome() {
        try {
            var start = Path.of(Servers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (var folder = start; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve("orrery")) && Files.exists(folder.resolve("bench/pom.xml"))) {
                    return folder;
                }
            }
            throw new BenchException(start + " is not inside a source tree of Orrery.");
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class path is always made of files", e);
        }
    }

    /** Removes what servers have left behind. */
    public void clear() throws IOException {
        if (!Files.exists(work)) {
            return;
        }
        try (var files = Files.walk(work)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    public Path orreryData() {
        return work.resolve("orrery");
    }

    /** What the data of Orrery takes; files that it deletes meanwhile do not count. */
    public long dataBytes() throws IOException {
        var bytes = new AtomicLong();
        Files.walkFileTree(orreryData(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }

    /**
     * Starts Orrery on any port.
     *
     * @param options besides those that it always has
     */
    public Started startOrrery(String... options) throws InterruptedException {
        return startOrrery(0, orreryData(), List.of(options));
    }

    /** One server among several, on a port that the others have been told of, or any for 0. */
    public Started startOrrery(int chosenPort, Path data, List<String> options) throws InterruptedException {
        var command = new ArrayList<>(List.of(
                home.resolve("orrery").toString(),
                "start",
                "--port",
                Integer.toString(chosenPort),
                "--key",
                KEY,
                "--data",
                data.toString()));
        command.addAll(options);
        var environment = Map.of("ORRERY_NO_BUILD", "1", "ORRERY_JAVA", System.getProperty("java.home"));
        long start = System.nanoTime();
        var server = ChildServer.start(command, environment, work, data.resolveSibling(data.getFileName() + ".log"));
        var ready = READY.matcher(server.awaitLine("Orrery is ready: ", Duration.ZERO));
        var time = Duration.ofNanos(System.nanoTime() - start);
        if (!ready.matches()) {
            server.close();
            throw new BenchException("The ready line of the server has changed.");
        }
        int port = Integer.parseInt(ready.group(1));
        return new Started(
                new HttpContender("Orrery", server, KEY, new Endpoint(port, false), new Endpoint(port, true), false),
                time);
    }

    /** Empty, after a message, where there is no Node.js to run it with. */
    public Optional<HttpContender> startEmulator() throws InterruptedException {
        var folder = home.resolve("bench/target/npm");
        // npm writes this file when all the others are there.
        if (!Files.exists(folder.resolve("node_modules/.package-lock.json")) && !install(folder)) {
            return Optional.empty();
        }
        var command = List.of("node", "-e", EMULATOR_SCRIPT);
        var server = ChildServer.start(command, Map.of(), folder, work.resolve("emulator.log"));
        var contender = contender(EMULATOR, server, true);
        contender.provision(contender.plain());
        contender.provision(contender.secure());
        return Optional.of(contender);
    }

    private static boolean install(Path folder) throws InterruptedException {
        System.err.println("installing " + EMULATOR);
        var command = List.of(
                "npm",
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--no-save",
                EMULATOR + "@" + EMULATOR_VERSION);
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("package.json"), "{\"private\":true}\n");
            var npm = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
            if (npm.waitFor(5, TimeUnit.MINUTES) && npm.exitValue() == 0) {
                return true;
            }
            npm.destroyForcibly();
            System.err.println("Without " + EMULATOR + ": npm could not install it; see " + folder + "/install.log");
        } catch (IOException e) {
            System.err.println("Without " + EMULATOR + ", which needs Node.js 20 and npm: " + e.getMessage());
        }
        return false;
    }

    /** Starts a program of this module, with the flags that Orrery runs with. */
    public ChildServer startJava(Class<?> main, String log, String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + home.resolve("server/target/dist/jvm.options"),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return ChildServer.start(command, Map.of(), work, work.resolve(log));
    }

    /** A server that says its two ports once it is ready. */
    public static HttpContender contender(String name, ChildServer server, boolean forgetful)
            throws InterruptedException {
        var ports = server.awaitLine("ready ", Duration.ZERO).split(" ", -1);
        return new HttpContender(
                name,
                server,
                KEY,
                new Endpoint(Integer.parseInt(ports[1]), false),
                new Endpoint(Integer.parseInt(ports[2]), true),
                forgetful);
    }
}
