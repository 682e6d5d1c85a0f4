package dev.orrery.server;

import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.server.transfer.Checkpoint;
import dev.orrery.server.transfer.Compression;
import dev.orrery.server.transfer.Conflict;
import dev.orrery.server.transfer.CsvOptions;
import dev.orrery.server.transfer.FileKind;
import dev.orrery.server.transfer.Format;
import dev.orrery.server.transfer.ImportListener;
import dev.orrery.server.transfer.ImportPlan;
import dev.orrery.server.transfer.Importer;
import dev.orrery.server.transfer.Problem;
import dev.orrery.server.transfer.Progress;
import dev.orrery.server.transfer.Source;
import dev.orrery.server.transfer.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Carries the items of files into a container of a running server. */
@Command(
        name = "import",
        description = "Imports items from files into a container of a running server.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "The ending of a file tells its format: .ndjson or .jsonl (an item on each line), .json (an array),",
            ".csv (a table with a header); each may be packed, which .gz or .zst behind it tells.",
            "",
            "An import that was interrupted goes on where it was, with the same command and --resume: a small",
            "file beside the first input tells how far it had come. Records that were refused are tried again",
            "by --resume as well, so they can be mended in place.",
            "",
            "Examples:",
            "  orrery import orders.ndjson -d shop -c orders",
            "  orrery import 2024.ndjson.gz 2025.ndjson.zst -d shop -c orders --on-conflict skip",
            "  orrery import customers.csv -d shop -c customers --csv-text-columns zip,phone",
            "  orrery import orders.ndjson -d shop -c orders --resume",
            "  some-program | orrery import - -d shop -c orders --generate-ids"
        })
final class ImportCommand implements Callable<Integer> {
    private static final int ERRORS_MAX_MOST = 100_000;
    private static final int CONNECTIONS_MOST = 256;
    private static final long HINDRANCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long END_SECONDS_MAX = 10;
    private static final String INPUT = "-";

    /** What fields of CSV become. */
    enum CsvTypes {
        AUTO,
        TEXT
    }

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "What to import; - reads from the input.")
    private List<String> files;

    @Mixin
    private ContainerOptions place;

    @Option(
            names = "--format",
            paramLabel = "ndjson|json|csv",
            description = "Format of all files (default: as their endings say, ndjson for the input).")
    private Format format;

    @Option(
            names = "--compression",
            paramLabel = "none|gzip|zstd",
            description = "How all files are packed (default: as their endings say).")
    private Compression compression;

    @Option(
            names = "--on-conflict",
            paramLabel = "fail|skip|replace",
            defaultValue = "fail",
            description = "When there is an item with the same id already: report an error (default),"
                    + " keep that item, or replace it.")
    private Conflict conflict;

    @Option(names = "--upsert", description = "The same as --on-conflict replace.")
    private boolean upsert;

    @Option(names = "--generate-ids", description = "Give an id to items that have none.")
    private boolean generateIds;

    @Option(
            names = "--csv-types",
            paramLabel = "auto|text",
            defaultValue = "auto",
            description = "Whether a field of CSV that is not quoted and looks like a number, true, false or null"
                    + " is one (default), or everything is text. An empty field is no property at all.")
    private CsvTypes csvTypes;

    @Option(
            names = "--csv-text-columns",
            split = ",",
            paramLabel = "NAME",
            description = "Columns of CSV that are text, whatever they look like.")
    private Set<String> csvTextColumns = new HashSet<>();

    @Mixin
    private TableOptions table;

    @Option(
            names = "--errors-max",
            paramLabel = "N",
            defaultValue = "100",
            description = "Give up when more records than that were refused (default: ${DEFAULT-VALUE}).")
    private int errorsMax;

    @Option(names = "--resume", description = "Go on with an import that was interrupted; begins if there was none.")
    private boolean resume;

    @Option(
            names = "--checkpoint",
            paramLabel = "FILE",
            description = "Where to note how far the import has come"
                    + " (default: beside the first file, with the ending .orrery-import).")
    private Path checkpoint;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many requests are under way at once (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Mixin
    private ServerOptions server;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var stop = new StopSignal();
        var ended = new CountDownLatch(1);
        // Ctrl-C and SIGTERM: lets what is under way come to its end, and the last words be said.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.give("Interrupted.");
            awaitEnd(ended);
        }));
        try (var account = server.account()) {
            return run(new ContainerClient(account, place.database(), place.container()), stop);
        } finally {
            ended.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            if (!ended.await(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.err.println(
                        "orrery: The import did not come to its end in time; --resume finds out how far it came.");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private int run(ContainerClient target, StopSignal stop) throws InterruptedException {
        var plan = plan();
        long total = plan.sources().stream().anyMatch(source -> source.bytes() < 0)
                ? -1
                : plan.sources().stream().mapToLong(Source::bytes).sum();
        long begin = System.nanoTime();
        Importer.Outcome outcome;
        try (var progress = new Progress("Importing", total, Progress.Unit.BYTES, Terminal.columnsOfErrors())) {
            outcome = importer(target, plan, new Reports(progress), stop).run();
        } catch (IOException unwritable) {
            throw new UserError(
                    "The checkpoint cannot be written: " + Problem.text(unwritable)
                            + "\nSay with --checkpoint where it can be.",
                    unwritable);
        }
        return report(plan, outcome, (System.nanoTime() - begin) / 1e9);
    }

    private Importer importer(ContainerClient target, ImportPlan plan, ImportListener reports, StopSignal stop)
            throws InterruptedException {
        try {
            return new Importer(target, plan, reports, stop);
        } catch (RefusedException refused) {
            throw new UserError(refusal(refused), refused);
        } catch (IOException unreachable) {
            throw server.unreachable(unreachable);
        }
    }

    private String refusal(RefusedException refused) {
        return switch (refused.status()) {
            case 401 -> "The server does not accept this key. Give the right one with --key or in ORRERY_KEY.";
            case 404 -> "There is no container '" + place.container() + "' in a database '" + place.database() + "'.";
            default -> refused.getMessage() + " (status " + refused.status() + ")";
        };
    }

    // ---- what to do ----

    private ImportPlan plan() {
        if (connections < 1 || connections > CONNECTIONS_MOST) {
            throw new UserError("--connections is a number from 1 to " + CONNECTIONS_MOST + ".");
        }
        if (errorsMax < 0 || errorsMax > ERRORS_MAX_MOST) {
            throw new UserError("--errors-max is a number from 0 to " + ERRORS_MAX_MOST + ".");
        }
        var sources = sources();
        var file = checkpointFile();
        var known = file.flatMap(this::known);
        return new ImportPlan(
                sources,
                new CsvOptions(table.delimiter(), csvTypes == CsvTypes.TEXT, csvTextColumns),
                upsert ? Conflict.REPLACE : conflict,
                generateIds,
                connections,
                errorsMax,
                known.orElseGet(() ->
                        Checkpoint.start(target(), files, UUID.randomUUID().toString())),
                known.isPresent(),
                file);
    }

    private String target() {
        return place.database() + "/" + place.container();
    }

    private List<Source> sources() {
        var sources = new ArrayList<Source>();
        for (var name : files) {
            var kind = FileKind.of(name);
            var packed = Optional.ofNullable(compression).orElse(kind.compression());
            var known = Optional.ofNullable(format).or(kind::format);
            if (name.equals(INPUT)) {
                sources.add(Source.stream("(input)", System.in, known.orElse(Format.NDJSON), packed));
                continue;
            }
            if (known.isEmpty()) {
                throw new UserError("The ending of " + name + " does not tell its format. Say it with --format.");
            }
            try {
                var path = Path.of(name);
                if (!Files.isReadable(path) || Files.isDirectory(path)) {
                    throw new UserError("There is no file " + name + " that can be read.");
                }
                sources.add(Source.file(name, path, known.get(), packed));
            } catch (IOException unreadable) {
                throw new UserError(name + " cannot be read: " + Problem.text(unreadable), unreadable);
            }
        }
        return sources;
    }

    /** Nothing when all that is imported is the input, which cannot be read again. */
    private Optional<Path> checkpointFile() {
        return Optional.ofNullable(checkpoint)
                .or(() -> files.stream()
                        .filter(name -> !name.equals(INPUT))
                        .findFirst()
                        .map(name -> Path.of(name + ".orrery-import")));
    }

    private Optional<Checkpoint> known(Path file) {
        try {
            var known = Checkpoint.load(file);
            if (known.isPresent() && !resume) {
                throw new UserError("An earlier import has not come to its end. Go on with --resume, or remove " + file
                        + " to begin anew.");
            }
            if (known.isPresent()
                    && !(known.get().target().equals(target())
                            && known.get().files().equals(files))) {
                throw new UserError(file + " belongs to another import: of "
                        + String.join(" ", known.get().files()) + " into "
                        + known.get().target() + ".");
            }
            return known;
        } catch (IOException bad) {
            throw new UserError(bad.getMessage(), bad);
        }
    }

    // ---- what to say ----

    /** Tells what goes wrong at once, and what will pass now and then. */
    private static final class Reports implements ImportListener {
        private final Progress progress;
        private long hinderedAt = System.nanoTime() - HINDRANCE_NANOS;

        Reports(Progress progress) {
            this.progress = progress;
        }

        @Override
        public void refused(String file, long line, long column, String message) {
            progress.message(file + ":" + line + ":" + (column > 0 ? column + ":" : "") + " " + message);
        }

        @Override
        public synchronized void hindered(String message) {
            long now = System.nanoTime();
            if (now - hinderedAt >= HINDRANCE_NANOS) {
                hinderedAt = now;
                progress.message(message + " Trying again.");
            }
        }

        @Override
        public void progress(long bytesRead, long imported) {
            progress.show(bytesRead, imported);
        }
    }

    private int report(ImportPlan plan, Importer.Outcome outcome, double seconds) {
        var out = spec.commandLine().getOut();
        var end = outcome.end();
        long now = end.imported() - plan.start().imported();
        out.println(String.format(
                Locale.ROOT,
                "Imported %s in %.1f s (%,.0f a second).",
                Amount.of(now, "item"),
                seconds,
                now / Math.max(seconds, 0.001)));
        if (end.skipped() > 0) {
            out.println("Skipped " + Amount.of(end.skipped(), "item") + " that were there already.");
        }
        if (outcome.refused() > 0) {
            out.println("Refused " + Amount.of(outcome.refused(), "record") + ".");
        }
        boolean complete = outcome.reason().isEmpty() && end.failed().isEmpty();
        if (complete || !outcome.begun()) {
            remove(plan.checkpointFile());
        }
        if (!complete) {
            out.flush();
            var err = spec.commandLine().getErr();
            outcome.reason().ifPresent(reason -> err.println("orrery: " + reason));
            if (outcome.isResumable()) {
                err.println(advice(plan, outcome));
            }
            err.flush();
        }
        out.flush();
        return complete ? 0 : 1;
    }

    private static String advice(ImportPlan plan, Importer.Outcome outcome) {
        if (plan.checkpointFile().isEmpty()) {
            return "There is no checkpoint, so the import can only begin anew; --on-conflict skip passes over what is"
                    + " there.";
        }
        var noted = " (" + plan.checkpointFile().get() + " tells how far the import has come.)";
        return outcome.reason().isPresent()
                ? "Go on with the same command and --resume." + noted
                : "Mend the refused records in place, then import them with the same command and --resume." + noted;
    }

    private static void remove(Optional<Path> file) {
        try {
            if (file.isPresent()) {
                Files.deleteIfExists(file.get());
            }
        } catch (IOException kept) {
            throw new UserError("The checkpoint cannot be removed: " + Problem.text(kept), kept);
        }
    }
}
