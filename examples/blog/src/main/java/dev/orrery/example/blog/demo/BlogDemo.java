package dev.orrery.example.blog.demo;

import static dev.orrery.example.common.DemoCommandLine.demand;

import dev.orrery.example.blog.BlogClient;
import dev.orrery.example.blog.Version;
import dev.orrery.example.common.Databases;
import dev.orrery.example.common.DemoCommandLine;
import dev.orrery.example.common.Ending;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
public final class BlogDemo implements Callable<Integer> {
    private static final int REPLAY_USERS_MAX = 1_000;
    private static final int USERS_MAX = 100_000;
    private static final int CALLS_MAX = 100_000;
    private static final Pattern DATABASE_NAME = Pattern.compile("[^/\\\\?#]{1,250}");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "how many users there are, up to " + USERS_MAX + " (default: ${DEFAULT-VALUE})")
    private int users = 100;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description =
                    "how often each request is measured, after up to 6 s of queries, or ten times as many commands, to"
                            + " warm up (default: ${DEFAULT-VALUE})")
    private int calls = Measuring.CALLS_THAT_SUFFICE;

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
            description =
                    "request units a second of each posts container; every started 6,000 make a physical partition"
                            + " (default: ${DEFAULT-VALUE})")
    private int postsUnits = 30_000;

    @Option(names = "--seed", paramLabel = "N", description = "makes other data (default: ${DEFAULT-VALUE})")
    private long seed = StandIn.DEFAULT_SEED;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "where the data of the server lies meanwhile (default: where temporary files do)")
    private Path folder;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "what the names of the databases begin with (default: ${DEFAULT-VALUE})")
    private String database = "blog";

    @Option(
            names = "--keep",
            description = "leave the databases on the server of --endpoint, with the figures in one more, where the"
                    + " explorer of Orrery shows them; they are removed otherwise")
    private boolean keep;

    @Option(
            names = "--growth",
            paramLabel = "FILE",
            split = ",",
            description = "measure nothing, but print how requests grow over the results that runs wrote with --json")
    private List<Path> results;

    private BlogDemo() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return DemoCommandLine.of(new BlogDemo()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() {
        if (results != null) {
            demand(
                    spec,
                    !results.isEmpty()
                            && results.stream()
                                    .noneMatch(file -> file.toString().isEmpty()),
                    "--growth needs the names of files that runs wrote with --json.");
            GrowthReport.of(results).print(System.out);
            return CommandLine.ExitCode.OK;
        }
        check();
        return server.isOwn() ? measureHere() : measureThere();
    }

    /** Better now than after minutes of measuring. */
    private void check() {
        demand(spec, users >= 1 && users <= USERS_MAX, "--users must be from 1 to " + USERS_MAX + ".");
        demand(spec, calls >= 1 && calls <= CALLS_MAX, "--calls must be from 1 to " + CALLS_MAX + ".");
        demand(
                spec,
                postsUnits >= 400 && postsUnits % 100 == 0,
                "--throughput must be at least 400 and in steps of 100.");
        demand(
                spec,
                !server.isOwn() || (!server.hasKey() && !keep),
                "--key and --keep are for a server named with --endpoint.");
        demand(
                spec,
                server.isOwn() || (!server.inMemory() && folder == null),
                "--memory and --folder are for a server of its own, not for one named with --endpoint.");
        server.checkKey();
        demand(
                spec,
                DATABASE_NAME.matcher(database).matches(),
                "--database must be a name without / \\ ? and #, of at most 250 characters.");
        demand(spec, isWritable(html), "Cannot write " + html + ".");
        demand(spec, json == null || isWritable(json), "Cannot write " + json + ".");
        demand(
                spec,
                json == null
                        || !json.toAbsolutePath()
                                .normalize()
                                .equals(html.toAbsolutePath().normalize()),
                "--json and --html must be two files.");
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
            DemoCommandLine.complain(spec.commandLine(), "Cannot write " + file + ": " + failure);
            return false;
        }
    }

    private int measureHere() {
        var own = folder == null ? server.start() : server.start(folder);
        try (var client = new BlogClient(own.endpoint(), LocalServer.KEY)) {
            return report(new Demo(client, new Databases(client.account()), own::backlogBytes, plan()).run());
        }
    }

    private int measureThere() {
        // Not closed: it is still needed in the end, to remove what was made, and nothing comes after that.
        var client = server.connect(BlogClient::new);
        var databases = new Databases(client.account());
        if (!keep) {
            Ending.add(databases::clear);
        }
        try {
            // A server elsewhere has its own ways of putting things in order, and does not tell of them.
            var result = new Demo(client, databases, () -> 0, plan()).run();
            if (keep) {
                keep(result, databases);
            }
            return report(result);
        } finally {
            if (keep && !databases.names().isEmpty()) {
                System.out.println("Left on the server: " + String.join(", ", databases.names()));
            }
        }
    }

    /** Whoever looks at the data later finds what was measured beside them. */
    private void keep(Result result, Databases databases) {
        var place = databases.create(database + "-report");
        place.createContainer("reports", "/id");
        place.getContainer("reports").createItem(JsonReport.json(result).put("id", "blog"));
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
}
