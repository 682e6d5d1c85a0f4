package dev.orrery.example.blog.demo;

import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.azure.cosmos.CosmosException;
import dev.orrery.example.blog.BlogClient;
import dev.orrery.example.blog.LocalServer;
import dev.orrery.example.blog.Version;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
        name = "orrery demo blog",
        description = {
            "Loads a blogging platform in three data models and measures what every request takes in each.",
            "",
            "It starts a server of its own, which ends with it, loads the same data for all models, checks that they"
                    + " give the same answers, and prints latency and request units beside published figures.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Examples:",
            "  orrery demo blog                          100 users, some minutes",
            "  orrery demo blog --users 10 --calls 20    only to see that it works",
            "  orrery demo blog --users 1000 --json blog.json --html blog.html",
            "  orrery demo blog --versions V3            one data model only",
            "  orrery demo blog --growth small.json,large.json",
            "  orrery demo blog --endpoint https://account.documents.azure.com --key KEY"
        })
public final class Main implements Callable<Integer> {
    private static final int REPLAY_USERS_MAX = 1_000;
    private static final int CALLS_MIN = 200;

    @Spec
    private CommandSpec spec;

    @Option(names = "--users", paramLabel = "N", description = "how many users there are (default: ${DEFAULT-VALUE})")
    private int users = 100;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "how often each request is measured, after five times as many to warm up (default:"
                    + " ${DEFAULT-VALUE})")
    private int calls = CALLS_MIN;

    @Option(
            names = "--versions",
            paramLabel = "V",
            split = ",",
            description = "which data models to load and measure (default: V1,V2,V3)")
    private List<Version> versions = List.of(Version.values());

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures for programs")
    private Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "write the report with charts (default: ${DEFAULT-VALUE})")
    private Path html = Path.of("orrery-blog.html");

    @Option(
            names = "--views",
            paramLabel = "HOW",
            description =
                    "how the views of V3 are filled: REPLAY, by consumers of the change feed from its beginning, or"
                            + " BULK, with what they would write (default: REPLAY for up to " + REPLAY_USERS_MAX
                            + " users)")
    private Views views;

    @Option(
            names = "--throughput",
            paramLabel = "RU",
            description = "request units a second of each posts container; every 10,000 make a physical partition"
                    + " (default: ${DEFAULT-VALUE})")
    private int postsUnits = 50_000;

    @Option(names = "--seed", paramLabel = "N", description = "makes other data (default: ${DEFAULT-VALUE})")
    private long seed = 42;

    @Option(names = "--memory", description = "let the server keep everything in memory")
    private boolean memory;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "where its data lies meanwhile (default: where temporary files do)")
    private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--endpoint", paramLabel = "URL", description = "use the server there instead of one of its own")
    private URI endpoint;

    @Option(names = "--key", paramLabel = "KEY", description = "the key of that server (default: that of emulators)")
    private String key = LocalServer.KEY;

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "what the names of the databases begin with (default: ${DEFAULT-VALUE})")
    private String database = "blog";

    @Option(
            names = "--keep",
            description = "leave the databases on the server of --endpoint; they are removed otherwise")
    private boolean keep;

    @Option(
            names = "--growth",
            paramLabel = "FILE",
            split = ",",
            description = "measure nothing, but print how requests grow over the results that runs wrote with --json")
    private List<Path> results;

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, command, _) -> {
                    command.getErr().println("orrery demo blog: " + words(problem));
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake))
                .execute(arguments);
        System.exit(exitCode);
    }

    /** What a person can use of a problem; one that nobody has thought of is thrown on, with all there is to know. */
    private static String words(Exception problem) throws Exception {
        return switch (problem) {
            case DemoException stopped -> stopped.getMessage();
            case CosmosException refused ->
                "The server answered with status %d: %s".formatted(refused.getStatusCode(), refused.getShortMessage());
            default -> throw problem;
        };
    }

    private static int explain(ParameterException mistake) {
        var err = mistake.getCommandLine().getErr();
        err.println("orrery demo blog: " + mistake.getMessage());
        err.println("See: orrery demo blog --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException {
        if (results != null) {
            GrowthReport.of(results).print(System.out);
            return CommandLine.ExitCode.OK;
        }
        if (users < 1 || calls < 1 || postsUnits < 400) {
            throw new ParameterException(
                    spec.commandLine(), "--users and --calls must be at least 1, --throughput at least 400.");
        }
        demandWritable(html);
        if (json != null) {
            demandWritable(json);
        }
        var result = endpoint == null ? measureHere() : measureThere();
        TextReport.print(result, System.out);
        HtmlReport.write(result, html);
        if (json != null) {
            JsonReport.write(result, json);
        }
        System.out.println("With charts: " + html.toAbsolutePath());
        return CommandLine.ExitCode.OK;
    }

    /** Better now than after minutes of measuring. */
    private void demandWritable(Path file) {
        var parent = file.toAbsolutePath().getParent();
        boolean writable = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
        if (!writable) {
            throw new ParameterException(spec.commandLine(), "Cannot write " + file + ".");
        }
    }

    private Result measureHere() throws IOException {
        var temporary = Files.createTempDirectory(Files.createDirectories(folder), "orrery-demo");
        var server = start(temporary);
        // However this ends, also by Ctrl-C, neither the server nor its data stays behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.kill();
            remove(temporary);
        }));
        try (var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            return new Demo(client, plan()).run();
        }
    }

    private LocalServer start(Path temporary) {
        var home = System.getProperty("orrery.home");
        if (home == null) {
            throw new DemoException("Start it with ./orrery demo blog, or name a server with --endpoint.");
        }
        var log = temporary.resolve("server.log");
        return memory
                ? LocalServer.start(Path.of(home), log, "--memory")
                : LocalServer.start(
                        Path.of(home), log, "--data", temporary.resolve("data").toString());
    }

    private Result measureThere() {
        try (var client = connect()) {
            var demo = new Demo(client, plan());
            try {
                return demo.run();
            } finally {
                if (!keep) {
                    demo.clear();
                }
            }
        }
    }

    private BlogClient connect() {
        try {
            return new BlogClient(endpoint, key);
        } catch (RuntimeException failure) { // The SDK has no type of its own for it.
            if (failure.getCause() instanceof CosmosException answer && answer.getStatusCode() == HTTP_UNAUTHORIZED) {
                throw new DemoException(
                        "The server at " + endpoint + " does not accept the key; give its own with --key.");
            }
            throw new DemoException("No server answers at " + endpoint + ".");
        }
    }

    private Demo.Plan plan() {
        var usual = users <= REPLAY_USERS_MAX ? Views.REPLAY : Views.BULK;
        return new Demo.Plan(
                users,
                calls,
                seed,
                postsUnits,
                versions.stream().distinct().sorted().toList(),
                views == null ? usual : views,
                database);
    }

    private static void remove(Path temporary) {
        try (var files = Files.walk(temporary)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            System.err.println("Cannot remove " + temporary + ": " + failure.getMessage());
        }
    }
}
