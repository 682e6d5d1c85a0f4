package dev.orrery.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the regions of an account, and changes which they are. */
@Command(
        name = "region",
        description = "Shows the regions of an account, adds one, removes one, while the others serve.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            RegionCommand.ListCommand.class,
            RegionCommand.AddCommand.class,
            RegionCommand.RemoveCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  orrery region list",
            "  orrery region list --endpoint http://localhost:8091",
            "  orrery region add \"East Asia=http://localhost:8111\"",
            "  orrery region remove \"East Asia\""
        })
final class RegionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return 0;
    }

    /** The regions as one of them sees them. */
    @Command(
            name = "list",
            description = "Lists the regions as the server at --endpoint sees them.",
            mixinStandardHelpOptions = true,
            versionProvider = Main.Version.class)
    static final class ListCommand implements Callable<Integer> {
        @Mixin
        private ServerOptions server;

        @Option(names = "--json", description = "Print JSON instead of a table.")
        private boolean json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws InterruptedException {
            var status = RegionOrders.ask(server);
            var out = spec.commandLine().getOut();
            if (json) {
                out.println(status);
                return 0;
            }
            RegionTable.lines(status).forEach(out::println);
            return 0;
        }
    }

    /** One region more. */
    @Command(
            name = "add",
            description = {
                "Counts one more region in, and says how to start it. It catches up while the others serve.",
                "With the third, the regions begin to vote on who writes when one is lost; the writes pause for it",
                "for a few seconds."
            },
            mixinStandardHelpOptions = true,
            versionProvider = Main.Version.class)
    static final class AddCommand implements Callable<Integer> {
        @Parameters(
                paramLabel = "NAME=ADDRESS",
                description = {
                    "Its name and where it will be reached, such as \"East Asia=http://localhost:8111\",",
                    "or \"Tower=witness://host:8083\" for one that has a vote and no data."
                })
        private String added;

        @Mixin
        private ServerOptions server;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws InterruptedException {
            var halves = added.split("=", 2);
            RegionOptions.member(added);
            var order = JsonNodeFactory.instance
                    .objectNode()
                    .put("name", halves[0].strip())
                    .put("address", halves[1].strip());
            var members = RegionOrders.order(server, RunningRegion.ADD_PATH, order);
            var out = spec.commandLine().getOut();
            out.println(halves[0].strip() + " is a region of the account now. Start it, with the account's key:");
            out.println("  orrery start --region \"" + halves[0].strip() + "\" --port PORT --data FOLDER --regions \""
                    + list(members) + "\"");
            out.println("It catches up while the others serve; 'orrery region list' tells how far it is.");
            return 0;
        }
    }

    /** One region less. */
    @Command(
            name = "remove",
            description = {
                "Counts a region out; it may be stopped then, and its data folder deleted.",
                "The one that takes the writes must hand them over first: orrery failover --to REGION.",
                "Where all regions write, it takes no more, and has everything settled before it leaves."
            },
            mixinStandardHelpOptions = true,
            versionProvider = Main.Version.class)
    static final class RemoveCommand implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "The region.")
        private String removed;

        @Option(
                names = "--force",
                description = {
                    "Count it out although it does not answer, where all regions write: it is lost, and so is what it",
                    "has acknowledged and the others have not been told."
                })
        private boolean force;

        @Mixin
        private ServerOptions server;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws InterruptedException {
            var order =
                    JsonNodeFactory.instance.objectNode().put("name", removed).put("force", force);
            var members = RegionOrders.order(server, RunningRegion.REMOVE_PATH, order);
            spec.commandLine()
                    .getOut()
                    .println(removed + " is no region of the account any more. It has " + list(members) + "."
                            + (force && members.path("multipleWriteRegions").asBoolean()
                                    ? " What only " + removed + " had is lost: writes that it had acknowledged, and the"
                                            + " others had not been told."
                                    : ""));
            return 0;
        }
    }

    private static String list(JsonNode members) {
        var parts = new ArrayList<String>();
        members.path("regions")
                .forEach(member -> parts.add(member.path("name").asText() + "="
                        + member.path("address").asText()));
        return String.join(",", parts);
    }

    /** What commands about regions have in common: to whom they go, and how a refusal is told. */
    static final class RegionOrders {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final int OK = 200;
        private static final int NOT_FOUND = 404;

        private RegionOrders() {}

        static JsonNode ask(ServerOptions server) throws InterruptedException {
            try (var account = server.account()) {
                var reply = account.ask(RunningRegion.REGIONS_PATH);
                return understood(reply.statusCode(), reply.body());
            } catch (IOException unreachable) {
                throw server.unreachable(unreachable);
            }
        }

        static JsonNode order(ServerOptions server, String path, JsonNode body) throws InterruptedException {
            try (var account = server.account()) {
                var reply = account.order(path, body.toString());
                return understood(reply.statusCode(), reply.body());
            } catch (IOException unreachable) {
                throw server.unreachable(unreachable);
            }
        }

        private static JsonNode understood(int status, String body) throws IOException {
            if (status == NOT_FOUND || status == 405) {
                throw new UserError("The server is the only region of its account. Start several with: orrery start"
                        + " --regions \"West US,North Europe\"");
            }
            var json = JSON.readTree(body);
            if (status != OK) {
                throw new UserError(
                        json.path("message").asText(body).lines().findFirst().orElse("refused"));
            }
            return json;
        }
    }
}
