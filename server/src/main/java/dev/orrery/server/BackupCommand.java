package dev.orrery.server;

import dev.orrery.gateway.client.AccountClient;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.server.backup.BackupException;
import dev.orrery.server.backup.BackupFile;
import dev.orrery.server.backup.BackupFolder;
import dev.orrery.server.backup.BackupList;
import dev.orrery.server.backup.BackupSource;
import dev.orrery.server.transfer.Progress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies everything that a running server has into a folder. */
@Command(
        name = "backup",
        description = {
            "Copies everything that a running server has, as it is at one moment, into a folder of this machine.",
            "",
            "What the folder has already from an earlier backup is not copied again, but every file is compared with"
                    + " its checksum. Requests go on meanwhile."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "A backup is there when this command ends with exit code 0; one that was broken off harms none before it.",
            "",
            "Examples:",
            "  orrery backup --to /backups/orrery",
            "  orrery backup --to /backups/orrery --keep 7",
            "  orrery restore --from /backups/orrery --data /var/lib/orrery"
        })
final class BackupCommand implements Callable<Integer> {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "The folder with the backups.")
    private Path folder;

    @Option(names = "--keep", paramLabel = "N", description = "Remove all but the latest N backups afterwards.")
    private Integer keep;

    @Mixin
    private ServerOptions server;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (keep != null && keep < 1) {
            throw new UserError("At least one backup is kept: --keep 1.");
        }
        PrivateFolder.prepare(folder);
        try (var account = server.account()) {
            var source = Remote.begin(account);
            BackupFolder.Added added;
            try (var bar = new TaskBar("Backup", Progress.Unit.BYTES)) {
                added = new BackupFolder(folder).add(source, bar);
            } finally {
                source.end();
            }
            if (keep != null) {
                new BackupFolder(folder).keepLatest(keep);
            }
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s: %s, %s in all; %s with %s were new%n",
                            added.name(),
                            Amount.of(source.list().files().size(), "file"),
                            Amount.ofBytes(source.list().bytes()),
                            Amount.of(added.newFiles(), "file"),
                            Amount.ofBytes(added.newBytes()));
            return 0;
        } catch (BackupException refused) {
            throw new UserError(refused.getMessage(), refused);
        } catch (ConnectException unreachable) {
            throw server.unreachable(unreachable);
        } catch (IOException problem) {
            throw new UserError("The backup has failed: " + problem, problem);
        }
    }

    /** The copy that a server holds. */
    private record Remote(AccountClient account, long id, BackupList list) implements BackupSource {

        static Remote begin(AccountClient account) throws IOException, InterruptedException {
            var reply = demand(account.order(RunningServer.BACKUP_PATH));
            var json = (Obj) JsonReader.parse(reply.body());
            var files = ((Arr) json.member("files"))
                    .items().stream()
                            .map(file -> (Obj) file)
                            .map(file -> new BackupFile(
                                    ((Str) file.member("name")).value(),
                                    number(file, "size"),
                                    HexFormat.fromHexDigits(((Str) file.member("checksum")).value())))
                            .toList();
            var time = Instant.parse(((Str) json.member("time")).value());
            return new Remote(account, number(json, "id"), new BackupList(time, files));
        }

        @Override
        public byte[] read(BackupFile file, long from) throws IOException, InterruptedException {
            var query = "?id=%d&file=%s&from=%d&bytes=%d".formatted(id, file.name(), from, Backups.PIECE_BYTES_MAX);
            return demand(account.order(RunningServer.BACKUP_PATH + query)).body();
        }

        /** If it cannot be told, the server finds out by itself. */
        void end() throws InterruptedException {
            try {
                account.order(RunningServer.BACKUP_PATH + "?end=" + id);
            } catch (IOException _) {
                // It may have gone.
            }
        }

        private static long number(Obj json, String name) {
            return ((Num) json.member(name)).whole();
        }

        private static HttpResponse<byte[]> demand(HttpResponse<byte[]> reply) {
            if (reply.statusCode() == UNAUTHORIZED) {
                throw new UserError("The server does not know this key. Give the one it was started with: --key.");
            }
            if (reply.statusCode() != OK) {
                throw new UserError("The server gives no backup: " + message(reply.body()));
            }
            return reply;
        }

        private static String message(byte[] body) {
            var text = new String(body, StandardCharsets.UTF_8);
            return text.startsWith("{")
                            && JsonReader.parse(body) instanceof Obj json
                            && json.member("message") instanceof Str(var words)
                    ? words.lines().findFirst().orElse(words)
                    : text;
        }
    }
}
