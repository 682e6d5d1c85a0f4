package dev.orrery.server;

import dev.orrery.engine.check.StoreCheck;
import dev.orrery.engine.check.StoreCopy;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.server.transfer.Progress;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.Durability;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import dev.orrery.store.rocksdb.StoredFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks whether a store at rest is whole. */
@Command(
        name = "check",
        description = "Checks a data folder whose server is stopped, and changes nothing.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Compares every file with its checksum, then every item with its index entries, unique keys, expiry, log",
            "entry and count. Exit code: 0 when all is well, 1 when something is not or cannot be read.",
            "",
            "Examples:",
            "  orrery check --data /var/lib/orrery",
            "  orrery check --data /var/lib/orrery --repair /var/lib/orrery-repaired"
        })
final class CheckCommand implements Callable<Integer> {
    /** Of the same kind, the rest is only counted. */
    private static final int TOLD_MAX = 100;

    @Option(names = "--data", paramLabel = "DIR", description = "The data folder (default: ./orrery-data).")
    private Path data = Path.of("orrery-data");

    @Option(
            names = "--repair",
            paramLabel = "NEW",
            description = {
                "Write what can be read into a new folder, and list what cannot.",
                "The folder that is checked stays as it is."
            })
    private Path repair;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        try {
            var files = files();
            tell(out, files);
            return repair == null ? check(out, files) : repair(out);
        } catch (StoreException unusable) {
            throw new UserError(unusable.getMessage(), unusable);
        }
    }

    private int check(PrintWriter out, List<String> files) {
        if (!files.isEmpty()) {
            out.println("Some files are not what was written, so the items were not looked at.");
            return 1;
        }
        var report = rows();
        tellFindings(out, report.findings());
        int broken = report.findings().size();
        out.printf(
                "%s in %s: %s%n",
                Amount.of(report.items(), "item"),
                Amount.of(report.containers(), "container"),
                broken == 0 ? "all is well" : Amount.of(broken, "law") + (broken == 1 ? " is broken" : " are broken"));
        return broken == 0 ? 0 : 1;
    }

    private int repair(PrintWriter out) {
        var report = copy();
        tellFindings(out, report.lost());
        out.printf(
                "%s in %s can be read and %s in %s now.%n",
                Amount.of(report.items(), "item"),
                Amount.of(report.containers(), "container"),
                report.items() == 1 ? "is" : "are",
                repair);
        if (report.lost().isEmpty()) {
            return 0;
        }
        out.println("What is listed above is lost.");
        return 1;
    }

    private static void tellFindings(PrintWriter out, List<StoreCheck.Finding> findings) {
        tell(
                out,
                findings.stream()
                        .map(finding -> finding.place() + ": " + finding.law())
                        .toList());
    }

    private StoreCopy.Report copy() {
        var settings =
                RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED).withSeparateKeySpaces(KeySpace.scattered());
        try (var folder = NewFolder.at(repair);
                var background = Executors.newSingleThreadScheduledExecutor()) {
            StoreCopy.Report report;
            try (var from = RocksDbStore.toSalvage(data, folder.scratch(), settings, background);
                    var to = new RocksDbStore(folder.path(), settings, background);
                    var bar = new TaskBar("Items", Progress.Unit.ITEMS)) {
                report = StoreCopy.ofReadable(from, to, bar);
            }
            folder.complete();
            return report;
        }
    }

    private List<String> files() {
        try (var bar = new TaskBar("Files", Progress.Unit.BYTES)) {
            return StoredFiles.check(data, bar);
        }
    }

    private StoreCheck.Report rows() {
        var settings = RocksDbSettings.DEFAULT.withSeparateKeySpaces(KeySpace.scattered());
        try (var background = Executors.newSingleThreadScheduledExecutor();
                var store = RocksDbStore.toRead(data, settings, background);
                var bar = new TaskBar("Items", Progress.Unit.ITEMS)) {
            return StoreCheck.run(store, bar);
        }
    }

    private static void tell(PrintWriter out, List<String> wrong) {
        wrong.stream().limit(TOLD_MAX).forEach(out::println);
        if (wrong.size() > TOLD_MAX) {
            out.printf("... and %,d more%n", wrong.size() - TOLD_MAX);
        }
    }
}
