package dev.orrery.example.blog.demo;

import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.azure.cosmos.CosmosException;
import dev.orrery.example.blog.BlogClient;
import dev.orrery.example.blog.Version;
import dev.orrery.example.common.Databases;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.Ending;
import dev.orrery.example.common.Explanation;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.ServerAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
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
    private static final Pattern DATABASE_NAME = Pattern.compile("[^/\\\\?#]{1,250}");

    @Spec
    private CommandSpec spec;

    @Option(names = "--users", paramLabel = "N", description = "how many users there are (default: ${DEFAULT-VALUE})")
    private int users = 100;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description =
                    "how often each request is measured, after five times as many to warm up, which slow queries do"
                            + " for at most 4 s (default: ${DEFAULT-VALUE})")
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
    private Path folder;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            converter = ServerAddress.class,
            description = "use the server there instead of one of its own")
    private URI endpoint;

    @Option(names = "--key", paramLabel = "KEY", description = "the key of that server (default: that of emulators)")
    private String key;

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

    private volatile LocalServer server;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, command, _) -> {
                    if (!Ending.hasBegun()) {
                        complain(command, Explanation.of(problem).orElseThrow(() -> problem));
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake));
    }

    private static void complain(CommandLine command, String words) {
        command.getErr().println("orrery demo blog: " + words);
    }

    private static int explain(ParameterException mistake) {
        complain(mistake.getCommandLine(), mistake.getMessage());
        mistake.getCommandLine().getErr().println("See: orrery demo blog --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() {
        if (results != null) {
            GrowthReport.of(results).print(System.out);
            return CommandLine.ExitCode.OK;
        }
        check();
        return report(endpoint == null ? measureHere() : measureThere());
    }

    /** Better now than after minutes of measuring. */
    private void check() {
        demand(
                users >= 1 && calls >= 1 && postsUnits >= 400 && postsUnits % 100 == 0,
                "--users and --calls must be at least 1, --throughput at least 400 and in steps of 100.");
        demand(endpoint != null || (key == null && !keep), "--key and --keep are for a server named with --endpoint.");
        demand(
                endpoint == null || (!memory && folder == null),
                "--memory and --folder are for a server of its own, not for one named with --endpoint.");
        demand(key == null || isBase64(key), "What is given as --key is not a key: it must be in Base64.");
        demand(
                DATABASE_NAME.matcher(database).matches(),
                "--database must be a name without / \\ ? and #, of at most 250 characters.");
        demand(isWritable(html), "Cannot write " + html + ".");
        demand(json == null || isWritable(json), "Cannot write " + json + ".");
    }

    private void demand(boolean condition, String words) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), words);
        }
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean isWritable(Path file) {
        var parent = file.toAbsolutePath().getParent();
        return Files.exists(file)
                ? !Files.isDirectory(file) && Files.isWritable(file)
                : parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
    }

    /** One report that cannot be written does not keep the others from it. */
    private int report(Result result) {
        TextReport.print(result, System.out);
        boolean written = json == null || write(json, JsonReport.text(result));
        if (write(html, HtmlReport.html(result))) {
            System.out.println("With charts: " + html.toAbsolutePath());
        } else {
            written = false;
        }
        return written ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean write(Path file, String text) {
        try {
            Files.writeString(file, text);
            return true;
        } catch (IOException failure) {
            complain(spec.commandLine(), "Cannot write " + file + ": " + failure);
            return false;
        }
    }

    private Result measureHere() {
        var temporary = makeTemporary();
        // However this ends, also by Ctrl-C, neither the server nor its data stays behind.
        Ending.add(() -> {
            if (server != null) {
                server.kill();
            }
            remove(temporary);
        });
        server = start(temporary);
        try (var client = new BlogClient(server.endpoint(), LocalServer.KEY)) {
            return new Demo(client, new Databases(client.account()), server::backlogBytes, plan()).run();
        }
    }

    private Path makeTemporary() {
        var parent = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
        try {
            return Files.createTempDirectory(Files.createDirectories(parent), "orrery-demo");
        } catch (IOException _) {
            throw new ParameterException(spec.commandLine(), "Cannot make a folder in " + parent + ".");
        }
    }

    private LocalServer start(Path temporary) {
        var home = System.getProperty("orrery.home");
        if (home == null) {
            throw new DemoException("Start it with ./orrery demo blog, or name a server with --endpoint.");
        }
        var log = temporary.resolve("server.log");
        var options = memory
                ? new String[] {"--memory"}
                : new String[] {"--data", temporary.resolve("data").toString()};
        try {
            return LocalServer.start(Path.of(home), log, options);
        } catch (IllegalStateException | UncheckedIOException failure) {
            throw new DemoException(failure.getMessage(), failure);
        }
    }

    private Result measureThere() {
        // Not closed: it is still needed in the end, to remove what was made, and nothing comes after that.
        var client = connect();
        var databases = new Databases(client.account());
        if (!keep) {
            Ending.add(databases::clear);
        }
        // A server elsewhere has its own ways of putting things in order, and does not tell of them.
        return new Demo(client, databases, () -> 0, plan()).run();
    }

    private BlogClient connect() {
        try {
            return new BlogClient(endpoint, key == null ? LocalServer.KEY : key);
        } catch (RuntimeException failure) { // The SDK has no type of its own for it.
            if (failure.getCause() instanceof CosmosException answer && answer.getStatusCode() == HTTP_UNAUTHORIZED) {
                throw new DemoException(
                        "The server at " + endpoint + " does not accept the key; give its own with --key.", failure);
            }
            throw new DemoException("No server answers at " + endpoint + ".", failure);
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
