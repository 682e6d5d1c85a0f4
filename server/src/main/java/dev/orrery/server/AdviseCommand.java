package dev.orrery.server;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running server what would make the requests of its clients cheaper. */
@Command(
        name = "advise",
        description = {
            "Tells what would make the requests cheaper that a server has answered since it was started.",
            "",
            "Which queries ask all physical partitions, and under which key they would ask one; what is counted or"
                + " looked up again and again and could be kept where it is read; which indexes are missing or never"
                + " used; which arrays grow without bound; which partitions do most of the work. Each with the request"
                + " units (RU) before, and expected after."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  orrery advise",
            "  orrery advise --database shop",
            "  orrery advise --queries",
            "  orrery advise --json"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    @Option(
            names = {"-d", "--database"},
            paramLabel = "ID",
            description = "Only what is about one database.")
    private String database;

    @Option(
            names = "--queries",
            description = "Print what was asked instead: for each shape of query how often, and what a call took.")
    private boolean queries;

    @Option(names = "--json", description = "Print the advice and what was asked as JSON, and nothing else.")
    private boolean json;

    @Mixin
    private ServerOptions server;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (var account = server.account()) {
            var reply = account.ask(RunningServer.ADVICE_PATH);
            if (reply.statusCode() == UNAUTHORIZED) {
                throw new UserError("The server does not know this key. Give the one it was started with: --key.");
            }
            if (reply.statusCode() != OK) {
                throw new UserError("The server gives no advice: it is of an earlier version, or something else.");
            }
            if (database != null && !account.hasDatabase(database)) {
                throw new UserError("There is no database '" + database + "'.");
            }
            var advice = new AdviceText((Obj) JsonReader.parse(reply.body()), Optional.ofNullable(database));
            var out = spec.commandLine().getOut();
            if (json) {
                out.println(CompactJson.text(advice.json()));
            } else {
                var lines = queries ? advice.queries(Terminal.columns()) : advice.lines(Terminal.columns());
                lines.forEach(out::println);
            }
            return 0;
        } catch (IOException unreachable) {
            throw server.unreachable(unreachable);
        }
    }
}
