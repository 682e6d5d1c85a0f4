package dev.orrery.server;

import dev.orrery.gateway.client.AccountClient;
import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.gateway.client.QueryClient;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.server.transfer.Compression;
import dev.orrery.server.transfer.CsvWriter;
import dev.orrery.server.transfer.Exporter;
import dev.orrery.server.transfer.FileKind;
import dev.orrery.server.transfer.Format;
import dev.orrery.server.transfer.OutputFile;
import dev.orrery.server.transfer.Problem;
import dev.orrery.server.transfer.Progress;
import dev.orrery.server.transfer.RowWriter;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the items of a container of a running server to a file. */
@Command(
        name = "export",
        description = "Exports the items of a container of a running server, or the rows of a query.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "The ending of the file tells its format: .ndjson or .jsonl (an item on each line), .json (an array),",
            ".csv (a table); each may be packed, which .gz or .zst behind it tells. The file appears when it is",
            "complete. What is written can be imported again.",
            "",
            "Examples:",
            "  orrery export orders.ndjson.zst -d shop -c orders",
            "  orrery export -d shop -c orders | jq .total",
            "  orrery export open.csv -d shop -c orders --query \"SELECT * FROM c WHERE c.open\""
        })
final class ExportCommand implements Callable<Integer> {
    private static final String OUTPUT = "-";

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = OUTPUT,
            description = "Where to write; - is the output (default).")
    private String file;

    @Mixin
    private ContainerOptions place;

    @Option(names = "--query", paramLabel = "QUERY", description = "Export the rows of a query instead of all items.")
    private String query;

    @Option(
            names = "--format",
            paramLabel = "ndjson|json|csv",
            description = "Format (default: as the ending of the file says, otherwise ndjson).")
    private Format format;

    @Option(
            names = "--compression",
            paramLabel = "none|gzip|zstd",
            description = "How to pack it (default: as the ending of the file says).")
    private Compression compression;

    @Option(
            names = "--system-properties",
            description = "Do not leave out what the database adds to every item (_rid, _ts, ...).")
    private boolean systemProperties;

    @Mixin
    private TableOptions table;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        try (var account = server.account()) {
            var question = new Question(
                    place.database(),
                    place.container(),
                    Optional.ofNullable(query).orElse("SELECT * FROM c"),
                    Map.of(),
                    Optional.empty(),
                    false);
            var exporter = new Exporter(new QueryClient(account), question, systemProperties);
            long begin = System.nanoTime();
            Exporter.Outcome outcome;
            try (var progress =
                    new Progress("Exporting", total(account), Progress.Unit.ITEMS, Terminal.columnsOfErrors())) {
                outcome = write(exporter, progress);
            }
            outcome.refused().ifPresent(refused -> {
                throw new UserError(QueryRefusal.text(question, refused));
            });
            System.err.println(String.format(
                    Locale.ROOT,
                    "Exported %s in %.1f s.",
                    Amount.of(outcome.rows(), "item"),
                    (System.nanoTime() - begin) / 1e9));
            return 0;
        }
    }

    /** How many items there are; nobody knows how many of them a query returns. */
    private long total(AccountClient account) throws InterruptedException {
        try {
            return query == null
                    ? new ContainerClient(account, place.database(), place.container())
                            .describe()
                            .items()
                    : -1;
        } catch (RefusedException _) {
            return -1; // the query will be refused as well, and then for a reason that can be told
        } catch (IOException unreachable) {
            throw server.unreachable(unreachable);
        }
    }

    private Exporter.Outcome write(Exporter exporter, Progress progress) throws InterruptedException {
        var kind = FileKind.of(file);
        var packed = Optional.ofNullable(compression).orElse(kind.compression());
        try {
            if (file.equals(OUTPUT)) {
                var raw = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
                try (var out = packed.pack(raw)) {
                    return rows(exporter, progress, out, temporary());
                }
            }
            var place = Path.of(file).toAbsolutePath();
            try (var output = new OutputFile(place, packed)) {
                var outcome = rows(exporter, progress, output.out(), OutputFile.beside(place, ".rows"));
                if (outcome.refused().isEmpty()) {
                    output.commit();
                }
                return outcome;
            }
        } catch (IOException problem) {
            throw new UserError("The export failed: " + Problem.text(problem), problem);
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"), "orrery-export-" + UUID.randomUUID() + ".rows");
    }

    private Exporter.Outcome rows(Exporter exporter, Progress progress, OutputStream out, Path waiting)
            throws IOException, InterruptedException {
        var chosen = Optional.ofNullable(format).or(FileKind.of(file)::format).orElse(Format.NDJSON);
        return switch (chosen) {
            case NDJSON -> exporter.run(RowWriter.ndjson(out), rows -> progress.show(rows, rows));
            case JSON -> exporter.run(RowWriter.json(out), rows -> progress.show(rows, rows));
            case CSV -> {
                try (var csv = new CsvWriter(out, table.delimiter(), waiting)) {
                    yield exporter.run(csv, rows -> progress.show(rows, rows));
                }
            }
        };
    }
}
