package dev.orrery.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.orrery.server.RegionCommand.RegionOrders;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Disturbs a link between two regions, to rehearse what happens then. */
@Command(
        name = "fault",
        description = "Disturbs what one region sends to another, to rehearse; needs start --allow-faults.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  orrery fault delay --from \"West US\" --to \"North Europe\" --millis 40",
            "  orrery fault cut --from \"West US\" --to \"North Europe\"",
            "  orrery fault heal --from \"West US\" --to \"North Europe\""
        })
final class FaultCommand implements Callable<Integer> {
    private enum Kind {
        CUT,
        HEAL,
        DELAY,
        PAUSE,
        RESUME
    }

    @Parameters(paramLabel = "cut|heal|delay|pause|resume", description = "What is to happen to the link.")
    private Kind kind;

    @Option(names = "--from", paramLabel = "REGION", required = true, description = "The region that sends.")
    private String from;

    @Option(names = "--to", paramLabel = "REGION", required = true, description = "The region that is sent to.")
    private String to;

    @Option(names = "--millis", paramLabel = "N", description = "How much later everything arrives, for delay.")
    private int millis;

    @Mixin
    private ServerOptions server;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var status = RegionOrders.ask(server);
        var sender = status.path("regions")
                .valueStream()
                .filter(region -> region.path("name").asText().equals(from))
                .findFirst()
                .orElseThrow(
                        () -> new UserError("'" + from + "' is no region of this account; see: orrery region list"));
        var order = JsonNodeFactory.instance
                .objectNode()
                .put("kind", kind.name().toLowerCase(Locale.ROOT))
                .put("to", to)
                .put("millis", millis);
        RegionOrders.order(server.at(sender.path("endpoint").asText()), RunningRegion.FAULT_PATH, order);
        spec.commandLine().getOut().println("The link from " + from + " to " + to + ": " + said() + ".");
        return 0;
    }

    private String said() {
        return switch (kind) {
            case CUT -> "cut";
            case HEAL -> "healed";
            case DELAY -> "delayed by " + millis + " ms";
            case PAUSE -> "paused";
            case RESUME -> "resumed";
        };
    }
}
