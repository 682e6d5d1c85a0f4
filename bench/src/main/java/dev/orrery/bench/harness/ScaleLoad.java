package dev.orrery.bench.harness;

import dev.orrery.gateway.client.AccountClient;
import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.server.transfer.Checkpoint;
import dev.orrery.server.transfer.Compression;
import dev.orrery.server.transfer.Conflict;
import dev.orrery.server.transfer.CsvOptions;
import dev.orrery.server.transfer.Format;
import dev.orrery.server.transfer.ImportListener;
import dev.orrery.server.transfer.ImportPlan;
import dev.orrery.server.transfer.Importer;
import dev.orrery.server.transfer.Progress;
import dev.orrery.server.transfer.Source;
import dev.orrery.server.transfer.StopSignal;
import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Fills a new container with items, through the same code as {@code orrery import}. */
public record ScaleLoad(HttpContender orrery, ScaleItems items) {
    public static final String DATABASE_LINK = "dbs/scale";
    public static final String CONTAINER_LINK = DATABASE_LINK + "/colls/items";
    private static final int CONNECTIONS = 8;
    private static final int COLUMNS = 100;

    /**
     * Returns how many seconds it took.
     *
     * @param policy more members of the definition of the container, each after a comma
     */
    public double run(String policy) throws IOException, InterruptedException {
        var requests = new Requests(orrery.plain(), orrery.key());
        Exchange.demand(orrery.plain(), requests.post("dbs", "", "", "{\"id\":\"scale\"}"));
        var container = "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\",\"version\":2}"
                + policy + "}";
        Exchange.demand(orrery.plain(), requests.post("colls", DATABASE_LINK, "", container));
        var plan = new ImportPlan(
                List.of(Source.stream("items", items.lines(), Format.NDJSON, Compression.NONE)),
                CsvOptions.DEFAULT,
                Conflict.FAIL,
                false,
                CONNECTIONS,
                0,
                Checkpoint.start("scale/items", List.of("items"), "bench"),
                false,
                Optional.empty());
        var task = String.format(Locale.ROOT, "Loading %,d items", items.count());
        boolean watched = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        long begin = System.nanoTime();
        try (var account = new AccountClient(
                        URI.create("http://" + orrery.plain().host()), orrery.key(), Clock.systemUTC());
                var progress = new Progress(task, items.bytes(), Progress.Unit.BYTES, watched ? COLUMNS : 0)) {
            var target = new ContainerClient(account, "scale", "items");
            var outcome = new Importer(target, plan, new Reports(progress), new StopSignal()).run();
            if (outcome.end().imported() != items.count()) {
                throw new BenchException(
                        "Not all items were loaded: " + outcome.reason().orElse(""));
            }
        } catch (RefusedException e) {
            throw new BenchException("The container is not there: " + e.getMessage(), e);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private record Reports(Progress progress) implements ImportListener {
        @Override
        public void refused(String file, long line, long column, String message) {
            progress.message(line + ": " + message);
        }

        @Override
        public void hindered(String message) {
            progress.message(message);
        }

        @Override
        public void progress(long bytesRead, long imported) {
            progress.show(bytesRead, imported);
        }
    }
}
