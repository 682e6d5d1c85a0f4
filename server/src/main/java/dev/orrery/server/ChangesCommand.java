package dev.orrery.server;

import dev.orrery.gateway.client.ChangesClient;
import dev.orrery.gateway.client.ChangesClient.Question;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what has changed in a container of a running server, and goes on doing so. */
@Command(
        name = "changes",
        description = "Prints what has changed in a container of a running server, a line of JSON for each change.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Without --follow, the command ends when there are no more changes. With it, the command waits for",
            "more, also while the server restarts, and goes on where it was: no change is left out or printed twice.",
            "",
            "The latest versions of all items are there from the beginning. All versions, with deletes, are kept for",
            "a while only (see: orrery start --help, --change-retention).",
            "",
            "Examples:",
            "  orrery changes -d shop -c orders",
            "  orrery changes -d shop -c orders --follow --from now | jq .total",
            "  orrery changes -d shop -c orders --from 2026-11-15T18:00:00Z",
            "  orrery changes -d shop -c orders --mode all-versions --follow",
            "  orrery changes -d shop -c orders --partition-key '\"ada\"'"
        })
final class ChangesCommand implements Callable<Integer> {
    /** Which changes are printed. */
    enum Mode {
        LATEST("latest"),
        ALL_VERSIONS("all-versions");

        private final String word;

        Mode(String word) {
            this.word = word;
        }
    }

    @Mixin
    private ContainerOptions place;

    @Option(names = "--follow", description = "Wait for further changes instead of ending.")
    private boolean follow;

    @Option(
            names = "--from",
            paramLabel = "beginning|now|TIME",
            description = "Where to start: a time is such as 2026-11-15T18:19:28Z, in UTC unless it says otherwise"
                    + " (default: beginning, with all versions now).")
    private String from;

    @Option(
            names = "--mode",
            paramLabel = "latest|all-versions",
            defaultValue = "latest",
            description = "Each changed item as it is now (default), or each version of it and its end.")
    private String modeWord;

    @Option(names = "--previous", description = "With all versions: print the version before each change as well.")
    private boolean previous;

    @Option(
            names = "--partition-key",
            paramLabel = "JSON",
            description = "Look at one partition key only; an array for a hierarchical one.")
    private String partitionKey;

    @Option(names = "--max-items", paramLabel = "N", description = "Stop after so many changes.")
    private Long itemsMax;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        var mode = Arrays.stream(Mode.values())
                .filter(some -> some.word.equals(modeWord))
                .findFirst()
                .orElseThrow(() -> new UserError("--mode is latest or all-versions, not: " + modeWord));
        if (itemsMax != null && itemsMax < 1) {
            throw new UserError("--max-items is a number of at least 1, not: " + itemsMax);
        }
        if (mode == Mode.ALL_VERSIONS && "beginning".equals(from)) {
            throw new UserError("All versions are kept for a while only, so they cannot be read from the beginning."
                    + "\nStart with --from now, which is the default, or with a time that is not too long ago.");
        }
        var question = new Question(
                place.database(),
                place.container(),
                Optional.ofNullable(from),
                mode.word,
                previous,
                JsonOption.partitionKey(partitionKey),
                follow);
        var lines = new ChangeLines(
                new FileOutputStream(FileDescriptor.out),
                Optional.ofNullable(itemsMax).orElse(Long.MAX_VALUE));
        try (var account = server.account()) {
            var client = new ChangesClient(account, question, System::nanoTime);
            new ChangeFollower(client, question, lines, System.err::println).run();
            return 0;
        } catch (IOException unreachable) {
            throw server.unreachable(unreachable);
        }
    }
}
