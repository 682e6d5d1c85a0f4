package dev.orrery.example.modeling.demo;

import dev.orrery.example.modeling.Account;
import dev.orrery.example.modeling.LocalServer;
import dev.orrery.example.modeling.Pattern;
import dev.orrery.example.modeling.TradeOff;
import dev.orrery.example.modeling.Workbench;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Option(names = "--endpoint", paramLabel = "URL", description = "use the server there instead of one of its own")
    private URI endpoint;

    @Option(names = "--key", paramLabel = "KEY", description = "the key of that server (default: that of emulators)")
    private String key = LocalServer.KEY;

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "what the names of the databases begin with; they are removed in the end"
                    + " (default: ${DEFAULT-VALUE})")
    private String database = "modeling";

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = new CommandLine(new Main())
                .setExecutionExceptionHandler((problem, command, parsed) -> {
                    if (problem instanceof DemoException stopped) {
                        command.getErr().println("orrery demo modeling: " + stopped.getMessage());
                        return CommandLine.ExitCode.SOFTWARE;
                    }
                    throw problem;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake))
                .execute(arguments);
        System.exit(exitCode);
    }

    private static int explain(ParameterException mistake) {
        var err = mistake.getCommandLine().getErr();
        err.println("orrery demo modeling: " + mistake.getMessage());
        err.println("See: orrery demo modeling --help");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException {
        if (runs < 1 || requestUnitsPerSecond < REQUEST_UNITS_MIN) {
            throw new ParameterException(
                    spec.commandLine(), "--runs must be at least 1, --throughput at least " + REQUEST_UNITS_MIN + ".");
        }
        var patterns = patterns();
        // Asked before there is any load of ours.
        var surroundings = surroundings();
        System.out.println(surroundings + "\n");
        var tradeOffs = endpoint == null ? measureHere(patterns) : measureThere(patterns, endpoint, key);
        if (page != null) {
            Page.write(page, surroundings, tradeOffs);
        }
        return CommandLine.ExitCode.OK;
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
        var server = endpoint == null ? "a server of commit " + Surroundings.commit(home()) : endpoint.getHost();
        var command = "./orrery demo modeling "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs());
        return Surroundings.text(server) + " `" + command.strip() + "`: medians of " + runs + " runs.";
    }

    private Map<Pattern, TradeOff> measureHere(List<Pattern> patterns) throws IOException {
        var folder = Files.createTempDirectory("orrery-demo");
        var server = start(folder);
        // However this ends, also by Ctrl-C, neither the server nor its data stays behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            remove(folder);
        }));
        return measureThere(patterns, server.endpoint(), LocalServer.KEY);
    }

    private LocalServer start(Path folder) {
        var options = memory
                ? new String[] {"--memory"}
                : new String[] {"--data", folder.resolve("data").toString()};
        try {
            return LocalServer.start(home(), folder.resolve("server.log"), options);
        } catch (IllegalStateException failure) {
            remove(folder);
            throw new DemoException(failure.getMessage());
        }
    }

    private static Path home() {
        var home = System.getProperty("orrery.home");
        if (home == null) {
            throw new DemoException("Start it with ./orrery demo modeling, or name a server with --endpoint.");
        }
        return Path.of(home);
    }

    private Map<Pattern, TradeOff> measureThere(List<Pattern> patterns, URI server, String serverKey) {
        var tradeOffs = new EnumMap<Pattern, TradeOff>(Pattern.class);
        try (var account = new Account(server, serverKey)) {
            for (var pattern : patterns) {
                var tradeOff = measure(account, pattern);
                System.out.println("# " + pattern.title() + "\n\n" + Page.section(tradeOff));
                tradeOffs.put(pattern, tradeOff);
            }
        }
        return tradeOffs;
    }

    private TradeOff measure(Account account, Pattern pattern) {
        var name = database + "-" + pattern.label();
        if (account.hasDatabase(name)) {
            throw new DemoException("There is a database " + name + " already; choose other names with --database.");
        }
        var made = account.createDatabase(name);
        try {
            return pattern.measure(new Workbench(made, runs, requestUnitsPerSecond));
        } finally {
            made.delete();
        }
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
