package dev.orrery.server;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of Orrery. */
@Command(
        name = "orrery",
        description = "A document database that speaks the Azure Cosmos DB for NoSQL protocol.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            StartCommand.class,
            StatusCommand.class,
            HealthCommand.class,
            AdviseCommand.class,
            QueryCommand.class,
            ImportCommand.class,
            ExportCommand.class,
            ChangesCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            CheckCommand.class,
            ExploreCommand.class,
            RegionCommand.class,
            FailoverCommand.class,
            FaultCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  orrery start                        data in ./orrery-data, on port 8081",
            "  orrery start --memory --port 9000   nothing kept, for tests",
            "  orrery status                       is a server running, and how is it?",
            "  orrery health                       only by the exit code, for containers",
            "  orrery advise                       what would make its requests cheaper?",
            "  orrery query \"SELECT * FROM c\" -d shop -c orders",
            "  orrery import orders.ndjson.gz -d shop -c orders",
            "  orrery export orders.csv -d shop -c orders",
            "  orrery changes --follow -d shop -c orders",
            "  orrery backup --to /backups         all that a running server has, again and again",
            "  orrery restore --from /backups --data new",
            "  orrery check                        is everything whole in ./orrery-data?",
            "  orrery explore                      the data, the plan and the price in a browser",
            "  orrery region list                  who writes, who follows, how far behind",
            "  orrery failover --to REGION         another region takes the writes",
            "  orrery demo blog                    what a data model costs, shown on a blogging platform",
            "  orrery demo modeling                when to embed and when to refer, both ways measured",
            "  orrery bench --help                 what can be measured on this machine",
            "  orrery start --help                 all options of a command"
        })
public final class Main implements Callable<Integer> {
    private static final int SYNOPSIS_LINES_MAX = 8;
    private static final int LINE_CHARACTERS_MAX = 100;

    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, command, parsed) -> {
                    if (problem instanceof UserError mistake) {
                        command.getErr().println("orrery: " + mistake.getMessage());
                        return CommandLine.ExitCode.SOFTWARE;
                    }
                    throw problem;
                })
                .setParameterExceptionHandler((mistake, _) -> explain(mistake))
                .execute(arguments);
        System.exit(exitCode);
    }

    /** What is wrong, and what there is; the words on each option would push both out of sight. */
    private static int explain(ParameterException mistake) {
        var command = mistake.getCommandLine();
        var err = command.getErr();
        err.println("orrery: " + mistake.getMessage());
        var synopsis = command.getHelp().fullSynopsis();
        err.print(synopsis.lines().count() <= SYNOPSIS_LINES_MAX ? synopsis : optionNames(command.getCommandSpec()));
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** Of a command with many options only their names, which is enough to find the one that was meant. */
    private static String optionNames(CommandSpec command) {
        var text = new StringBuilder("Options:");
        int lineStart = 0;
        for (var option : command.options()) {
            if (option.hidden()) {
                continue;
            }
            if (text.length() - lineStart + option.longestName().length() >= LINE_CHARACTERS_MAX) {
                lineStart = text.length();
                text.append("\n        ");
            }
            text.append(' ').append(option.longestName());
        }
        return text.append('\n').toString();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }

    /** The version that the build wrote into the manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"orrery " + text()};
        }

        static String text() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "(not packaged)" : version;
        }
    }
}
