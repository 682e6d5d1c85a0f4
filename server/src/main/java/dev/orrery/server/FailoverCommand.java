package dev.orrery.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.orrery.server.RegionCommand.RegionOrders;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Moves the writes of an account to another region. */
@Command(
        name = "failover",
        description = "Moves the writes of an account to another region, without losing any.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  orrery failover --to \"North Europe\"",
            "  orrery failover --to \"North Europe\" --force --endpoint http://north:8081   the write region is lost"
        })
final class FailoverCommand implements Callable<Integer> {
    @Option(names = "--to", paramLabel = "REGION", required = true, description = "The region that takes over.")
    private String to;

    @Option(
            names = "--force",
            description = {
                "Take over although the write region does not answer. Ask the region itself that takes over.",
                "What only the lost region has is found in the conflicts feeds when it comes back."
            })
    private boolean force;

    @Mixin
    private ServerOptions server;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var order = JsonNodeFactory.instance.objectNode().put("to", to).put("force", force);
        var done = RegionOrders.order(server, RunningRegion.FAILOVER_PATH, order);
        spec.commandLine()
                .getOut()
                .println(done.path("writeRegion").asText() + " takes the writes, in epoch "
                        + done.path("epoch").asLong() + ".");
        return 0;
    }
}
