package dev.orrery.server;

import dev.orrery.engine.check.StoreCopy;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.server.backup.BackupException;
import dev.orrery.server.backup.BackupFolder;
import dev.orrery.server.backup.BackupList;
import dev.orrery.server.transfer.Progress;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.Durability;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a data folder from a backup. */
@Command(
        name = "restore",
        description = "Makes a new data folder from a backup, as it was then or some time before.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "With --at, items are as they were at the end of that second; the backup must be younger, and the server"
                    + " must",
            "have kept all versions since (--change-retention). Databases, containers and scripts are as in the"
                    + " backup.",
            "",
            "Examples:",
            "  orrery restore --from /backups/orrery --list",
            "  orrery restore --from /backups/orrery --data /var/lib/orrery",
            "  orrery restore --from /backups/orrery --data /tmp/before --at 2026-11-18T09:12:00Z"
        })
final class RestoreCommand implements Callable<Integer> {
    @Option(names = "--from", paramLabel = "DIR", required = true, description = "The folder with the backups.")
    private Path folder;

    @Option(names = "--data", paramLabel = "NEW", description = "The data folder to make; it must be new or empty.")
    private Path data;

    @Option(names = "--backup", paramLabel = "NAME", description = "Which backup to take (default: the latest).")
    private String name;

    @Option(names = "--at", paramLabel = "TIME", description = "A moment in the past, such as 2026-11-18T09:12:00Z.")
    private String at;

    @Option(names = "--list", description = "Only list the backups, and compare their files with their checksums.")
    private boolean list;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var backups = new BackupFolder(folder);
        try {
            var lists = backups.lists();
            if (lists.isEmpty()) {
                throw new UserError("There is no backup in " + folder + ".");
            }
            if (list) {
                return tell(backups, lists);
            }
            if (data == null) {
                throw new UserError("Name the data folder to make: --data NEW.");
            }
            var moment = Optional.ofNullable(at).map(RestoreCommand::moment);
            restore(backups, choose(lists, moment), moment);
            return 0;
        } catch (BackupException | StoreException refused) {
            throw new UserError(refused.getMessage(), refused);
        } catch (IOException problem) {
            throw new UserError("Nothing was restored: " + problem, problem);
        }
    }

    private int tell(BackupFolder backups, NavigableMap<String, BackupList> lists) throws IOException {
        var out = spec.commandLine().getOut();
        int exitCode = 0;
        for (var one : lists.entrySet()) {
            try (var bar = new TaskBar("Comparing", Progress.Unit.BYTES)) {
                var wrong = backups.verify(one.getValue(), bar);
                out.printf(
                        "%s  %s, %s: %s%n",
                        one.getKey(),
                        Amount.of(one.getValue().files().size(), "file"),
                        Amount.ofBytes(one.getValue().bytes()),
                        wrong.isEmpty() ? "whole" : String.join(", ", wrong));
                exitCode = wrong.isEmpty() ? exitCode : 1;
            }
        }
        return exitCode;
    }

    private static Instant moment(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException bad) {
            throw new UserError("The moment is a time such as 2026-11-18T09:12:00Z, not '" + text + "'.", bad);
        }
    }

    /** For a moment in the past the first backup after it, which has the most of it. */
    private Map.Entry<String, BackupList> choose(NavigableMap<String, BackupList> lists, Optional<Instant> moment) {
        if (name != null) {
            if (!lists.containsKey(name)) {
                throw new UserError(
                        "There is no backup '" + name + "'. There are: " + String.join(", ", lists.keySet()));
            }
            return Map.entry(name, lists.get(name));
        }
        if (moment.isEmpty()) {
            return lists.lastEntry();
        }
        return lists.entrySet().stream()
                .filter(one -> !one.getValue().time().isBefore(moment.get()))
                .findFirst()
                .orElseThrow(() -> new UserError("The latest backup is of "
                        + lists.lastEntry().getValue().time() + ", which is before " + moment.get()
                        + ". Make one first: orrery backup"));
    }

    private void restore(BackupFolder backups, Map.Entry<String, BackupList> chosen, Optional<Instant> moment)
            throws IOException {
        try (var made = NewFolder.at(data);
                var bar = new TaskBar("Restoring", Progress.Unit.BYTES)) {
            if (moment.isEmpty()) {
                backups.extract(chosen.getValue(), made.path(), bar);
            } else {
                Files.createDirectory(made.scratch());
                PrivateFolder.prepare(made.scratch());
                backups.extract(chosen.getValue(), made.scratch(), bar);
                goBack(made, moment.get());
            }
            made.complete();
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s is in %s now%s. Start it with: orrery start --data %s%n",
                        chosen.getKey(),
                        data,
                        moment.map(when -> ", as of " + when).orElse(""),
                        data);
    }

    private static void goBack(NewFolder made, Instant moment) {
        var settings =
                RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED).withSeparateKeySpaces(KeySpace.scattered());
        try (var background = Executors.newSingleThreadScheduledExecutor();
                var from = RocksDbStore.toRead(made.scratch(), settings, background);
                var to = new RocksDbStore(made.path(), settings, background);
                var bar = new TaskBar("Items", Progress.Unit.ITEMS)) {
            StoreCopy.asOf(from, to, moment, bar);
        }
    }
}
