package dev.orrery.example.modeling.demo;

import static dev.orrery.example.common.DemoCommandLine.demand;

import dev.orrery.example.common.Account;
import dev.orrery.example.common.Databases;
import dev.orrery.example.common.DemoCommandLine;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.Ending;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.ServerOptions;
import dev.orrery.example.modeling.Pattern;
import dev.orrery.example.modeling.TradeOff;
import dev.orrery.example.modeling.Workbench;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class ModelingDemo implements Callable<Integer> {
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
            description = "request units a second of each container; every started 6,000 make a physical partition"
                    + " (default: ${DEFAULT-VALUE})")
    private int requestUnitsPerSecond = 6_000;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "put the figures into this page, between its marks")
    private Path page;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "what the names of the databases begin with; they are removed in the end"
                    + " (default: ${DEFAULT-VALUE})")
    private String database = "modeling";

    private ModelingDemo() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return DemoCommandLine.of(new ModelingDemo());
    }

    @Override
    public Integer call() {
        var patterns = patterns();
        check(patterns);
        // Asked before there is any load of ours.
        var surroundings = surroundings();
        var databases = server.isOwn() ? databasesHere() : databasesThere();
        System.out.println(surroundings + "\n");
        var tradeOffs = measure(patterns, databases);
        if (page != null) {
            Page.write(page, surroundings, tradeOffs);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Better now than after minutes of measuring. */
    private void check(List<Pattern> patterns) {
        demand(
                spec,
                runs >= 1
                        && requestUnitsPerSecond >= REQUEST_UNITS_MIN
                        && requestUnitsPerSecond % REQUEST_UNITS_STEP == 0,
                "--runs must be at least 1, --throughput at least " + REQUEST_UNITS_MIN + " and in steps of "
                        + REQUEST_UNITS_STEP + ".");
        demand(spec, !server.isOwn() || !server.hasKey(), "--key is for a server named with --endpoint.");
        demand(
                spec,
                server.isOwn() || !server.inMemory(),
                "--memory is for a server of its own, not for one named with --endpoint.");
        server.checkKey();
        demand(
                spec,
                database.matches(DATABASE_NAME),
                "--database must be a name without / \\ ? and #, of at most 230 characters.");
        if (page != null) {
            demand(spec, Files.isWritable(page), "Cannot write " + page + "; it must be a page that is there.");
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
        var where = server.endpoint()
                .map(URI::getHost)
                .orElseGet(() -> "a server of commit " + Occasion.commit(server.home()));
        var command = Occasion.command(spec.commandLine().getParseResult().originalArgs());
        return Occasion.text(where) + " `" + command + "`: " + (runs == 1 ? "1 run." : "medians of " + runs + " runs.");
    }

    private Databases databasesHere() {
        return new Databases(new Account(server.start().endpoint(), LocalServer.KEY));
    }

    private Databases databasesThere() {
        var databases = new Databases(server.connect(Account::new));
        Ending.add(databases::clear);
        return databases;
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
}
