package dev.orrery.tidy;

import static dev.orrery.tidy.Rule.inCode;
import static dev.orrery.tidy.Rule.inText;

import dev.orrery.tidy.SourceTree.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of what no source file may contain. */
final class Rules {
    /** A module and what its shipped code may name, apart from its own packages and {@code java.*}. */
    private record Layer(String module, List<String> mayName) {
        static Layer of(String module, String... mayName) {
            return new Layer(module, List.of(mayName));
        }
    }

    private static final List<Layer> LAYERS = List.of(
            Layer.of("model"),
            Layer.of(
                    "sql",
                    "dev.orrery.model",
                    "com.google.re2j",
                    "net.sf.geographiclib",
                    "org.apache.lucene",
                    "org.locationtech.jts"),
            Layer.of("store"),
            Layer.of("store-rocksdb", "dev.orrery.store", "org.rocksdb"),
            Layer.of(
                    "engine",
                    "dev.orrery.model",
                    "dev.orrery.sql",
                    "dev.orrery.store",
                    "com.github.benmanes.caffeine",
                    "javax.crypto",
                    "org.slf4j"),
            Layer.of(
                    "script",
                    "dev.orrery.model",
                    "dev.orrery.engine",
                    "com.oracle.truffle.api",
                    "com.sun.management",
                    "org.graalvm.polyglot"),
            Layer.of("region", "dev.orrery.model", "dev.orrery.engine", "org.slf4j"),
            Layer.of(
                    "council-ratis",
                    "dev.orrery.council",
                    "dev.orrery.region",
                    "javax.crypto",
                    "javax.net",
                    "org.apache.ratis",
                    "org.slf4j"),
            Layer.of(
                    "gateway",
                    "dev.orrery.model",
                    "dev.orrery.engine",
                    "io.netty",
                    "javax.crypto",
                    "javax.net.ssl",
                    "jdk.net",
                    "org.bouncycastle",
                    "org.slf4j"),
            Layer.of("bench-sdk", "com.azure.cosmos", "org.HdrHistogram", "org.reactivestreams", "reactor.core"),
            Layer.of("explorer"),
            Layer.of("checker"),
            // An example runs against any endpoint, so it knows nothing of Orrery.
            Layer.of("examples/common", "com.azure.cosmos", "com.fasterxml.jackson", "picocli"),
            Layer.of(
                    "examples/blog",
                    "dev.orrery.example.common",
                    "com.azure.cosmos",
                    "com.fasterxml.jackson",
                    "picocli"),
            Layer.of(
                    "examples/publishing",
                    "dev.orrery.checker",
                    "dev.orrery.example.common",
                    "com.azure.core.http",
                    "com.azure.cosmos",
                    "com.fasterxml.jackson",
                    "javax.crypto",
                    "picocli"),
            Layer.of(
                    "examples/modeling",
                    "dev.orrery.example.common",
                    "com.azure.cosmos",
                    "com.fasterxml.jackson",
                    "picocli"));

    /** Clocks, threads and randomness are made in the server and handed down, so that a failing history replays. */
    private static final Predicate<SourceFile> BELOW_THE_SERVER = shipped(
            "model",
            "sql",
            "store",
            "store-rocksdb",
            "engine",
            "script",
            "region",
            "council-ratis",
            "gateway",
            "explorer");

    private static final List<Rule> OTHERS = List.of(
            new Rule(
                    "a clock of its own",
                    BELOW_THE_SERVER,
                    inCode(
                            "\\bSystem\\.(currentTimeMillis|nanoTime)\\b",
                            "\\b(Instant|LocalDate|LocalTime|LocalDateTime|ZonedDateTime|OffsetDateTime)\\.now\\b",
                            "\\b(Clock|InstantSource)\\.(system|tick)",
                            "\\bnew Date\\(\\)"),
                    "long now = System.currentTimeMillis();",
                    "Take a clock in the constructor; the server makes it."),
            new Rule(
                    "a thread of its own",
                    BELOW_THE_SERVER,
                    inCode(
                            "\\bnew Thread\\(",
                            "\\bThread\\.(ofVirtual|ofPlatform|startVirtualThread)\\b",
                            "\\bExecutors\\.",
                            "\\bnew (ThreadPoolExecutor|ScheduledThreadPoolExecutor|ForkJoinPool|Timer)\\(",
                            "\\bForkJoinPool\\.commonPool\\b",
                            "\\.parallelStream\\("),
                    "new Thread(this::run).start();",
                    "Take an Executor or a ThreadFactory in the constructor; the server makes it."),
            new Rule(
                    "randomness of its own",
                    BELOW_THE_SERVER,
                    inCode(
                            "\\bnew (Secure|Splittable)?Random\\(",
                            "\\bThreadLocalRandom\\b",
                            "\\bMath(\\.|::)random\\b",
                            "\\bUUID(\\.|::)randomUUID\\b",
                            "\\bRandomGenerator\\.(getDefault|of)\\("),
                    "String id = UUID.randomUUID().toString();",
                    "Take a RandomGenerator in the constructor; the server makes it."),
            new Rule(
                    "input or output in a pure module",
                    shipped("model", "sql"),
                    inCode("\\bjava\\.(net|sql|nio\\.file|nio\\.channels|lang\\.foreign)\\.", "\\bjava\\.io\\.File"),
                    "import java.nio.channels.FileChannel;",
                    "Let the caller read and write, and pass in the values."),
            new Rule(
                    "a file opened outside the server and the stores on disk",
                    // The certificate is made, renewed and read back in one place, in a folder that the server names.
                    shipped("store", "engine", "script", "gateway", "explorer")
                            .and(file -> !file.path().contains("/gateway/tls/")),
                    inCode("\\bjava\\.nio\\.file\\.Files\\b", "\\bjava\\.io\\.(File|RandomAccessFile)"),
                    "import java.nio.file.Files;",
                    "Let the server open it and pass in what it holds."),
            new Rule(
                    "HTTP outside the gateway",
                    shipped("model", "sql", "store", "store-rocksdb", "engine", "script", "explorer", "server"),
                    inCode("\\bio\\.netty\\.handler\\.codec\\.http", "\\bcom\\.sun\\.net\\.httpserver\\b"),
                    "import io.netty.handler.codec.http.FullHttpRequest;",
                    "Only the gateway speaks HTTP."),
            new Rule(
                    "a protocol header outside the gateway",
                    file -> file.isJava() && !isIn(file, "gateway", "conformance", "bench", "tidy"),
                    inText("(?i)x-ms-"),
                    "headers.add(\"x-ms-request-charge\", charge);",
                    "Pass a typed value; the gateway alone knows how the wire calls it."),
            new Rule(
                    "a sleep or a time-out of its own in a test",
                    file -> file.isTestJava() && !file.name().equals("Await.java"),
                    inCode(
                            "@Timeout\\b",
                            "\\bassertTimeout",
                            "\\bsleep\\(",
                            "\\bLockSupport\\.park(Nanos|Until)",
                            "\\bawaitTermination\\(",
                            "\\.(get|await|block|join|poll|tryAcquire|waitFor)\\([^()]*\\b(Duration|TimeUnit)\\."),
                    "Thread.sleep(500);",
                    "Await.until what must be; all tests share one net against hanging. Await.pause takes a reason in"
                            + " words."),
            new Rule(
                    "a verdict by the clock in a test",
                    SourceFile::isTestJava,
                    inCode(
                            "\\bisLessThan(OrEqualTo)?\\(Duration\\.",
                            "\\bDuration\\.ofNanos\\(System\\.nanoTime\\(\\) -[^;]*isLess"),
                    "assertThat(elapsed).isLessThan(Duration.ofSeconds(5));",
                    "Hold the clock, or count the work: any machine may be slow."),
            new Rule(
                    "a name that says nothing",
                    SourceFile::isJava,
                    inCode("\\b(class|interface|record|enum) \\w*(Impl|Manager|Utils?|Helper)\\b"),
                    "final class KeyUtil {",
                    "Name the duty."),
            new Rule(
                    "a note for later",
                    file -> !isIn(file, "tidy"),
                    inText("\\b(TODO|FIXME|XXX)\\b"),
                    "// TODO handle this",
                    "Do it now, or open an issue."),
            new Rule(
                    "the path of one machine",
                    file -> !isIn(file, "tidy"),
                    inText("(?<![\\w.~}/-])/(work|root|home|Users|tmp/orrery)/\\w", "\\b[A-Z]:\\\\{1,2}Users\\b"),
                    "Path.of(\"/home/ada/orrery-data\")",
                    "Use a path relative to the repository, the caller's folder or a temporary folder."),
            new Rule(
                    "the host of a package registry",
                    file -> !isIn(file, "tidy"),
                    inText("\\b(repo1?\\.maven\\.|registry\\.npmjs\\.|registry\\.yarnpkg\\.|pypi\\.org\\b)"),
                    "\"resolved\": \"https://registry." + "npmjs.org/a/-/a-1.tgz\"",
                    "Everyone has a mirror of their own; npm leaves it out with --omit-lockfile-registry-resolved."));

    private Rules() {}

    static List<Rule> all() {
        var rules = new ArrayList<Rule>();
        LAYERS.forEach(layer -> rules.add(onlyNamesOf(layer)));
        rules.addAll(OTHERS);
        return rules;
    }

    /** Looks for fully qualified names, which are imports and also what could be written without one. */
    private static Rule onlyNamesOf(Layer layer) {
        String allowed = Stream.concat(Stream.of("java", packageOf(layer.module())), layer.mayName().stream())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return new Rule(
                "a name from outside the layer of " + layer.module(),
                shipped(layer.module()),
                inCode("(?<![\\w.])(?!(?:" + allowed
                        + ")\\.)(com|org|io|net|dev|javax?|info|ch|jdk|sun)(\\.[a-z]\\w*)+\\.[A-Z*]"),
                "import static dev.orrery.server.Main.*;",
                "It may name java.* " + String.join(" ", layer.mayName()));
    }

    private static String packageOf(String module) {
        return "dev.orrery." + module.replace("examples/", "example.").replace('-', '.');
    }

    private static Predicate<SourceFile> shipped(String... modules) {
        Set<String> any = Set.of(modules);
        return file -> file.isMainJava() && any.contains(file.module());
    }

    private static boolean isIn(SourceFile file, String... modules) {
        return Set.of(modules).contains(file.module());
    }
}
