package dev.orrery.bench;

import dev.orrery.bench.changes.ChangesBench;
import dev.orrery.bench.charges.ChargesBench;
import dev.orrery.bench.direct.DirectBench;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.http.HttpBench;
import dev.orrery.bench.query.QueryBench;
import dev.orrery.bench.regions.RegionBench;
import dev.orrery.bench.restart.RestartBench;
import dev.orrery.bench.scale.ScaleBench;
import dev.orrery.bench.script.ScriptBench;
import dev.orrery.bench.search.SearchBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the measurements. */
@Command(
        name = "orrery bench",
        description = "Measures Orrery side by side with what limits it and with what it could be replaced by.",
        mixinStandardHelpOptions = true,
        subcommands = {
            HttpBench.class,
            DirectBench.class,
            QueryBench.class,
            ScaleBench.class,
            SearchBench.class,
            ScriptBench.class,
            RestartBench.class,
            ChangesBench.class,
            ChargesBench.class,
            RegionBench.class
        },
        footer = {
            "",
            "Examples:",
            "  orrery bench http                                   all of it, about ten minutes",
            "  orrery bench http --seconds 1 --rounds 1            only to see that it works",
            "  orrery bench http --markdown docs/performance.md    and put the tables into that page",
            "  orrery bench direct                                 the Java SDK over https and in Direct mode",
            "  orrery bench query                                  queries, also beside PostgreSQL, about ten minutes",
            "  orrery bench scale --items-max 10000000             the same requests in ever larger containers",
            "  orrery bench search                                 shapes, words and vectors, with an index and"
                    + " without",
            "  orrery bench regions --items 100000                 an account in three regions, some minutes",
            "  orrery bench script                                 a stored procedure beside what it stands for",
            "  orrery bench restart --ranges 2,100                 a start after the server was killed",
            "  orrery bench changes --items 20000 --seconds 3      the change feed, only to see that it works",
            "  orrery bench charges                                what requests cost beside what was published"
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = new CommandLine(new Main())
                .setExecutionExceptionHandler((problem, command, parsed) -> {
                    if (problem instanceof BenchException stopped) {
                        command.getErr().println("orrery bench: " + stopped.getMessage());
                        return CommandLine.ExitCode.SOFTWARE;
                    }
                    throw problem;
                })
                .execute(arguments);
        System.exit(exitCode);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "What to measure is missing.");
    }
}
