package dev.orrery.example.modeling.demo;

import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.azure.cosmos.CosmosException;
import dev.orrery.example.common.Account;
import dev.orrery.example.common.Databases;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.Ending;
import dev.orrery.example.common.Explanation;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.ServerAddress;
import dev.orrery.example.modeling.Pattern;
import dev.orrery.example.modeling.TradeOff;
import dev.orrery.example.modeling.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the patterns. */
@Command(
        name = "orrery demo modeling",
        description = {
            "Answers eight questions of data modelling both ways, and measures what either way takes.",
            "",
            "It starts a server of its own, which ends with it, has both models do the same tasks, checks that they"
                    + " give the same answers, and prints request units and milliseconds of both.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Examples:",
            "  orrery demo modeling                            all patterns, some minutes",
            "  orrery demo modeling embed hybrid --runs 10     two of them, only to try it",
            "  orrery demo modeling --markdown docs/modeling.md",
            "  orrery demo modeling --endpoint https://account.documents.azure.com --key KEY"
        })
public final class Main implements Callable<Integer> {
    private static final int REQUEST_UNITS_MIN = 400;
    private static final int REQUEST_UNITS_STEP = 100;
    private static final String DATABASE_NAME = "[^/\\\\?#]{1,230}";

    @Spec
    private CommandSpec spec;

    // Not converted by the parser, which would call a wrong one superfluous.
    @Parameters(
            paramLabel = "PATTERN",
            arity = "0..*",
            description = "which patterns to try: ${COMPLETION-CANDIDATES} (default: all)",
            completionCandidates = Labels.class)
    private List<String> labels = List.of();

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "how often each task is measured, after as many to warm up; the median counts"
                    + " (default: ${DEFAULT-VALUE})")
    private int runs = 100;

    @Option(
            names = "--throughput",
            paramLabel = "RU",
            description = "request units a second of each container; every 10,000 make a physical partition"
                    + " (default: ${DEFAULT-VALUE})")
    private int requestUnitsPerSecond = 10_000;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "put the figures into this page, between its marks")
    private Path page;

    @Option(names = "--memory", description = "let the server keep everything in memory")
    private boolean memory;

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
            description = "what the names of the databases begin with; they are removed in the end"
                    + " (default: ${DEFAULT-VALUE})")
    private String database = "modeling";

    private volatile LocalServer server;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler((problem, command, _) -> {
                    if (!Ending.hasBegun()) {
                        complain(command, Explanation.of(problem).orElseThrow(() -> problem));
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake));
    }

    private static void complain(CommandLine command, String words) {
        command.getErr().println("orrery demo modeling: " + words);
    }

    private static int explain(ParameterException mistake) {
        complain(mistake.getCommandLine(), mistake.getMessage());
        mistake.getCommandLine().getErr().println("See: orrery demo modeling --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException {
        var patterns = patterns();
        check(patterns);
        // Asked before there is any load of ours.
        var surroundings = surroundings();
        System.out.println(surroundings + "\n");
        var tradeOffs = endpoint == null ? measureHere(patterns) : measureThere(patterns);
        if (page != null) {
            Page.write(page, surroundings, tradeOffs);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Better now than after minutes of measuring. */
    private void check(List<Pattern> patterns) {
        demand(
                runs >= 1
                        && requestUnitsPerSecond >= REQUEST_UNITS_MIN
                        && requestUnitsPerSecond % REQUEST_UNITS_STEP == 0,
                "--runs must be at least 1, --throughput at least " + REQUEST_UNITS_MIN + " and in steps of "
                        + REQUEST_UNITS_STEP + ".");
        demand(endpoint != null || key == null, "--key is for a server named with --endpoint.");
        demand(endpoint == null || !memory, "--memory is for a server of its own, not for one named with --endpoint.");
        demand(key == null || isBase64(key), "What is given as --key is not a key: it must be in Base64.");
        demand(
                database.matches(DATABASE_NAME),
                "--database must be a name without / \\ ? and #, of at most 230 characters.");
        if (page != null) {
            demand(Files.isWritable(page), "Cannot write " + page + "; it must be a page that is there.");
            checkPlaces(patterns);
        }
    }

    private void checkPlaces(List<Pattern> patterns) {
        try {
            Page.check(Files.readString(page), patterns);
        } catch (IOException _) {
            throw new ParameterException(spec.commandLine(), "Cannot read " + page + ".");
        } catch (DemoException missing) {
            throw new ParameterException(spec.commandLine(), missing.getMessage());
        }
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

    private List<Pattern> patterns() {
        return labels.isEmpty()
                ? List.of(Pattern.values())
                : labels.stream().map(this::pattern).toList();
    }

    private Pattern pattern(String label) {
        return Labels.find(label)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "There is no pattern '" + label + "'; there are: " + String.join(", ", new Labels()) + "."));
    }

    private String surroundings() {
        var where = endpoint == null ? "a server of commit " + Surroundings.commit(home()) : endpoint.getHost();
        var command = Surroundings.command(spec.commandLine().getParseResult().originalArgs());
        return Surroundings.text(where) + " `" + command + "`: "
                + (runs == 1 ? "1 run." : "medians of " + runs + " runs.");
    }

    private Map<Pattern, TradeOff> measureHere(List<Pattern> patterns) throws IOException {
        var folder = Files.createTempDirectory("orrery-demo");
        // However this ends, also by Ctrl-C, neither the server nor its data stays behind.
        Ending.add(() -> {
            if (server != null) {
                server.close();
            }
            remove(folder);
        });
        server = start(folder);
        return measure(patterns, new Databases(new Account(server.endpoint(), LocalServer.KEY)));
    }

    private LocalServer start(Path folder) {
        var options = memory
                ? new String[] {"--memory"}
                : new String[] {"--data", folder.resolve("data").toString()};
        try {
            return LocalServer.start(home(), folder.resolve("server.log"), options);
        } catch (IllegalStateException | UncheckedIOException failure) {
            throw new DemoException(failure.getMessage(), failure);
        }
    }

    private static Path home() {
        var home = System.getProperty("orrery.home");
        if (home == null) {
            throw new DemoException("Start it with ./orrery demo modeling, or name a server with --endpoint.");
        }
        return Path.of(home);
    }

    private Map<Pattern, TradeOff> measureThere(List<Pattern> patterns) {
        var databases = new Databases(connect());
        Ending.add(databases::clear);
        return measure(patterns, databases);
    }

    private Account connect() {
        try {
            return new Account(endpoint, key == null ? LocalServer.KEY : key);
        } catch (RuntimeException failure) { // The SDK has no type of its own for it.
            if (failure.getCause() instanceof CosmosException answer && answer.getStatusCode() == HTTP_UNAUTHORIZED) {
                throw new DemoException(
                        "The server at " + endpoint + " does not accept the key; give its own with --key.", failure);
            }
            throw new DemoException("No server answers at " + endpoint + ".", failure);
        }
    }

    private Map<Pattern, TradeOff> measure(List<Pattern> patterns, Databases databases) {
        var tradeOffs = new EnumMap<Pattern, TradeOff>(Pattern.class);
        for (var pattern : patterns) {
            var name = database + "-" + pattern.label();
            var bench = new Workbench(databases.create(name), runs, requestUnitsPerSecond);
            var tradeOff = pattern.measure(bench);
            databases.remove(name);
            System.out.println("# " + pattern.title() + "\n\n" + Page.section(tradeOff));
            tradeOffs.put(pattern, tradeOff);
        }
        return tradeOffs;
    }

    private static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            System.err.println("Cannot remove " + folder + ": " + failure.getMessage());
        }
    }
}
