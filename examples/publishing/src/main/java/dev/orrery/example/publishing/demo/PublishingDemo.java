package dev.orrery.example.publishing.demo;

import static dev.orrery.example.common.DemoCommandLine.demand;

import dev.orrery.example.common.DemoCommandLine;
import dev.orrery.example.common.Ending;
import dev.orrery.example.common.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
        name = "orrery demo publishing",
        description = {
            "Runs a publishing platform in several regions, takes one of them away, and brings it back.",
            "",
            "It starts an account for each region, lets people write and read everywhere, and tells how long that took,"
                    + " what readers saw and when, and whether anything was lost.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Examples:",
            "  orrery demo publishing                three regions, about a minute",
            "  orrery demo publishing --regions 2 --seconds 5",
            "  orrery demo publishing --multi-write  and the same on one account",
            "  orrery demo publishing --apart 200 --json publishing.json"
        })
public final class PublishingDemo implements Callable<Integer> {
    private static final int SECONDS_MAX = 3_600;
    private static final int APART_MAX_MILLIS = 2_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--regions", paramLabel = "N", description = "2 or 3 (default: ${DEFAULT-VALUE})")
    private int regions = 3;

    @Option(
            names = "--multi-write",
            description = {
                "run it once more, on one account that all regions write to, and show both beside each other:",
                "what people waited, what they saw, which conflicts there were, and how they were settled"
            })
    private boolean multiWrite;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "how long people work with all regions, without one, and with all again"
                    + " (default: ${DEFAULT-VALUE} each)")
    private int seconds = 15;

    @Option(
            names = "--apart",
            paramLabel = "MILLIS",
            description = "how long a message to another region and its answer take (default: ${DEFAULT-VALUE})")
    private int apartMillis = 80;

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures for programs")
    private Path json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "write the report with charts (default: ${DEFAULT-VALUE})")
    private Path html = Path.of("orrery-publishing.html");

    private PublishingDemo() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return DemoCommandLine.of(new PublishingDemo());
    }

    @Override
    public Integer call() {
        demand(spec, regions == 2 || regions == 3, "--regions must be 2 or 3.");
        demand(spec, seconds >= 1 && seconds <= SECONDS_MAX, "--seconds must be from 1 to " + SECONDS_MAX + ".");
        demand(
                spec,
                apartMillis >= 0 && apartMillis <= APART_MAX_MILLIS,
                "--apart must be from 0 to " + APART_MAX_MILLIS + ".");
        demand(spec, Files.isDirectory(folderOf(html)), "Cannot write " + html + ".");
        demand(spec, json == null || Files.isDirectory(folderOf(json)), "Cannot write " + json + ".");
        var folder = ServerOptions.makeFolder(spec, Path.of(System.getProperty("java.io.tmpdir")));
        var demos = new CopyOnWriteArrayList<Demo>();
        // However this ends, also by Ctrl-C, neither processes nor data stay behind.
        Ending.add(() -> {
            demos.forEach(Demo::close);
            ServerOptions.remove(folder);
        });
        var results = new ArrayList<Result>();
        for (var layout : multiWrite ? List.of(Layout.values()) : List.of(Layout.ACCOUNT_PER_REGION)) {
            var demo = new Demo(
                    new Demo.Plan(layout, regions, Duration.ofSeconds(seconds), Duration.ofMillis(apartMillis)));
            demos.add(demo);
            results.add(demo.run(ServerOptions.home(spec), folder));
            demo.close();
        }
        return report(results);
    }

    private static Path folderOf(Path file) {
        return file.toAbsolutePath().getParent();
    }

    private int report(List<Result> results) {
        results.forEach(result -> TextReport.print(result, System.out));
        var comparison = new Comparison(results);
        if (multiWrite) {
            TextReport.print(comparison, System.out);
        }
        try {
            if (json != null) {
                Files.writeString(json, multiWrite ? JsonReport.text(comparison) : JsonReport.text(results.getFirst()));
            }
            Files.writeString(html, HtmlReport.html(comparison));
        } catch (IOException failure) {
            DemoCommandLine.complain(spec.commandLine(), "Cannot write " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        System.out.println("With charts: " + html.toAbsolutePath());
        return results.stream().allMatch(result -> result.verdict().complaints().isEmpty())
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }
}
