package dev.orrery.server;

import dev.orrery.engine.check.StoreCheck;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.server.transfer.Progress;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import dev.orrery.store.rocksdb.StoredFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
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
            "Example:",
            "  orrery check --data /var/lib/orrery"
        })
final class CheckCommand implements Callable<Integer> {
    /** Of the same kind, the rest is only counted. */
    private static final int TOLD_MAX = 100;

    @Option(names = "--data", paramLabel = "DIR", description = "The data folder (default: ./orrery-data).")
    private Path data = Path.of("orrery-data");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        try {
            var files = files();
            tell(out, files);
            if (!files.isEmpty()) {
                out.println("Some files are not what was written, so the items were not looked at.");
                return 1;
            }
            var report = rows();
            tell(
                    out,
                    report.findings().stream()
                            .map(finding -> finding.place() + ": " + finding.law())
                            .toList());
            out.printf(
                    "%,d items in %,d containers: %s%n",
                    report.items(),
                    report.containers(),
                    report.findings().isEmpty()
                            ? "all is well"
                            : "%,d laws are broken".formatted(report.findings().size()));
            return report.findings().isEmpty() ? 0 : 1;
        } catch (StoreException unusable) {
            throw new UserError(unusable.getMessage(), unusable);
        }
    }

    private List<String> files() {
        try (var bar = new Bar("Files", Progress.Unit.BYTES)) {
            return StoredFiles.check(data, bar);
        }
    }

    private StoreCheck.Report rows() {
        var settings = RocksDbSettings.DEFAULT.withSeparateKeySpaces(KeySpace.scattered());
        try (var background = Executors.newSingleThreadScheduledExecutor();
                var store = RocksDbStore.toRead(data, settings, background);
                var bar = new Bar("Items", Progress.Unit.ITEMS)) {
            return StoreCheck.run(store, bar);
        }
    }

    /** How much there is to do is known when the first piece is done. */
    private static final class Bar implements BiConsumer<Long, Long>, AutoCloseable {
        private final String task;
        private final Progress.Unit unit;
        private Progress progress;

        Bar(String task, Progress.Unit unit) {
            this.task = task;
            this.unit = unit;
        }

        @Override
        public void accept(Long done, Long all) {
            if (progress == null) {
                progress = new Progress(task, all, unit, Terminal.columnsOfErrors());
            }
            progress.show(done);
        }

        @Override
        public void close() {
            if (progress != null) {
                progress.close();
            }
        }
    }

    private static void tell(PrintWriter out, List<String> wrong) {
        wrong.stream().limit(TOLD_MAX).forEach(out::println);
        if (wrong.size() > TOLD_MAX) {
            out.printf("... and %,d more%n", wrong.size() - TOLD_MAX);
        }
    }
}
