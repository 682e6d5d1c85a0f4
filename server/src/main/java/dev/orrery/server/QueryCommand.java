package dev.orrery.server;

import dev.orrery.gateway.client.QueryClient;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.model.json.JsonValue;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running server a query and prints the rows. */
@Command(
        name = "query",
        description = "Runs a query on a running server and prints its rows.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "A table leaves out what the database adds to every item (_rid, _ts, ...)",
            "and cuts wide values to the terminal. The other formats leave out nothing.",
            "",
            "Examples:",
            "  orrery query \"SELECT * FROM c\" -d shop -c orders",
            "  orrery query \"SELECT c.id FROM c WHERE c.total > @least\" -d shop -c orders \\",
            "      --parameter least=40",
            "  orrery query \"SELECT VALUE COUNT(1) FROM c\" -d shop -c orders \\",
            "      --partition-key '\"ada\"'",
            "  orrery query \"SELECT * FROM c\" -d shop -c orders --format ndjson > all.ndjson",
            "  orrery query --file report.sql -d shop -c orders --format json | jq .",
            "  orrery query \"SELECT * FROM c WHERE c.id = '1'\" -d shop -c orders --explain"
        })
final class QueryCommand implements Callable<Integer> {
    private static final int TABLE_ROWS_DEFAULT = 1_000;

    /** How rows are printed. */
    enum Format {
        TABLE,
        JSON,
        NDJSON
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "QUERY",
            description = "The query; - reads it from the input.")
    private String text;

    @Option(names = "--file", paramLabel = "FILE", description = "Read the query from a file.")
    private Path file;

    @Mixin
    private ContainerOptions place;

    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "NAME=JSON",
            description = "Value of @NAME in the query, as JSON; may be repeated.")
    private List<String> parameters = List.of();

    @Option(
            names = "--partition-key",
            paramLabel = "JSON",
            description = "Look at one partition key only; an array for a hierarchical one.")
    private String partitionKey;

    @Option(
            names = "--format",
            paramLabel = "table|json|ndjson",
            defaultValue = "table",
            description = "A table (default), a JSON array, or a line of JSON for each row.")
    private Format format;

    @Option(
            names = "--max-items",
            paramLabel = "N",
            description = "Stop after so many rows (default: 1000 in a table, otherwise all).")
    private Integer itemsMax;

    @Option(
            names = "--explain",
            description = "Print no rows, but how they were found: the plan, what was read, and the charge.")
    private boolean explain;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        var question = question();
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        try (var account = server.account()) {
            var run = new QueryRows(new QueryClient(account), question, rowsMax());
            if (explain) {
                run.readAll();
                QueryReport.lines(run).forEach(out::println);
            } else {
                print(run, out);
            }
            out.flush();
            return 0;
        } catch (IOException unreachable) {
            throw server.unreachable(unreachable);
        }
    }

    // ---- printing ----

    private void print(QueryRows rows, PrintStream out) throws IOException, InterruptedException {
        switch (format) {
            case TABLE -> table(rows, out);
            case JSON -> {
                out.print("[");
                var separator = new String[] {"\n"};
                rows.forEachRow(row -> {
                    out.print(separator[0] + CompactJson.text(row));
                    separator[0] = ",\n";
                    return !out.checkError();
                });
                out.println("\n]");
            }
            case NDJSON ->
                rows.forEachRow(row -> {
                    out.println(CompactJson.text(row));
                    return !out.checkError();
                });
        }
    }

    private static void table(QueryRows rows, PrintStream out) throws IOException, InterruptedException {
        var all = new ArrayList<JsonValue>();
        rows.forEachRow(all::add);
        var table = new RowTable(all);
        var lines = table.lines(Terminal.columns());
        lines.forEach(out::println);
        if (!lines.isEmpty()) {
            out.println();
        }
        out.println(count(all.size(), "row")
                + (rows.hasMore() ? " (there are more, see --max-items)" : "")
                + String.format(Locale.ROOT, ", %.2f request units", rows.charge()));
    }

    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    // ---- what to ask ----

    private Question question() {
        var values = new HashMap<String, JsonValue>();
        for (var parameter : parameters) {
            int equals = parameter.indexOf('=');
            if (equals <= 0) {
                throw new UserError("--parameter takes a name and a JSON value, such as least=40, not: " + parameter);
            }
            var name = parameter.substring(0, equals);
            values.put(
                    name.startsWith("@") ? name : "@" + name,
                    JsonOption.read("The value of --parameter " + name, parameter.substring(equals + 1)));
        }
        return new Question(
                place.database(),
                place.container(),
                queryText(),
                Map.copyOf(values),
                JsonOption.partitionKey(partitionKey),
                explain);
    }

    private String queryText() {
        if ((text == null) == (file == null)) {
            throw new UserError("Give the query, or - to read it from the input, or --file with the file it is in.");
        }
        try {
            if (file != null) {
                return Files.readString(file);
            }
            return text.equals("-") ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : text;
        } catch (IOException unreadable) {
            throw new UserError(
                    "The query cannot be read from " + (file == null ? "the input" : file) + ".", unreadable);
        }
    }

    private int rowsMax() {
        if (itemsMax == null) {
            return format == Format.TABLE && !explain ? TABLE_ROWS_DEFAULT : Integer.MAX_VALUE;
        }
        if (itemsMax < 1) {
            throw new UserError("--max-items is a number from 1 on, not " + itemsMax + ".");
        }
        return itemsMax;
    }
}
