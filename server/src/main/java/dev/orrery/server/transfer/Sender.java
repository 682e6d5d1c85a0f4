package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.gateway.client.ContainerClient.Reply;
import dev.orrery.gateway.client.ContainerClient.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends batches one after another, each until all of its records are settled. */
final class Sender implements Runnable {
    /** After so long without any success the server is taken for lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long PAUSE_MILLIS_FIRST = 20;
    private static final long PAUSE_MILLIS_MAX = 2_000;

    private final ContainerClient container;
    private final RangeMap ranges;
    private final Ledger ledger;
    private final Conflict conflict;
    private final Refusals refusals;
    private final Outbox outbox;

    Sender(
            ContainerClient container,
            RangeMap ranges,
            Ledger ledger,
            Conflict conflict,
            Refusals refusals,
            Outbox outbox) {
        this.container = container;
        this.ranges = ranges;
        this.ledger = ledger;
        this.conflict = conflict;
        this.refusals = refusals;
        this.outbox = outbox;
    }

    /** The server will not have it, and asking again is of no use. */
    private static final class HopelessException extends Exception {
        private static final long serialVersionUID = 1L;

        HopelessException(String message) {
            super(message);
        }
    }

    /** What is left of a batch after a request. */
    private static final class Rest {
        private final List<ItemRecord> records = new ArrayList<>();
        private long pauseMillis;
        private String hindrance = "";

        void later(ItemRecord record, long millis) {
            records.add(record);
            pauseMillis = Math.max(pauseMillis, millis);
        }

        void hindered(List<ItemRecord> all, String message) {
            all.forEach(ItemRecord::makeUncertain);
            records.addAll(all);
            hindrance = message;
        }
    }

    @Override
    public void run() {
        try {
            for (var batch = outbox.take(); batch.isPresent(); batch = outbox.take()) {
                send(batch.get().records());
            }
        } catch (HopelessException hopeless) {
            outbox.fail(hopeless.getMessage());
        } catch (InterruptedException _) {
            outbox.fail("The import was interrupted.");
        } catch (RuntimeException bug) {
            outbox.fail("The import failed: " + bug);
            throw bug;
        }
    }

    private void send(List<ItemRecord> batch) throws HopelessException, InterruptedException {
        var records = batch;
        long pause = PAUSE_MILLIS_FIRST;
        long success = System.nanoTime();
        while (!records.isEmpty() && !outbox.isStopping()) {
            var rest = new Rest();
            sendOnce(records, rest);
            if (rest.records.size() < records.size() || rest.hindrance.isEmpty()) {
                success = System.nanoTime();
                pause = PAUSE_MILLIS_FIRST;
            }
            if (!rest.hindrance.isEmpty()) {
                refusals.hindered(rest.hindrance);
                if (System.nanoTime() - success > PATIENCE.toNanos()) {
                    throw new HopelessException(rest.hindrance);
                }
            }
            records = rest.records;
            if (!records.isEmpty()) {
                outbox.pause(Math.max(pause, rest.pauseMillis));
                pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
            }
        }
    }

    private void sendOnce(List<ItemRecord> records, Rest rest) throws HopelessException, InterruptedException {
        Map<String, List<ItemRecord>> byRange = new LinkedHashMap<>();
        for (var record : records) {
            byRange.computeIfAbsent(ranges.rangeOf(record.place()), _ -> new ArrayList<>())
                    .add(record);
        }
        for (var group : byRange.entrySet()) {
            sendOnce(group.getKey(), group.getValue(), rest);
        }
    }

    private void sendOnce(String range, List<ItemRecord> records, Rest rest)
            throws HopelessException, InterruptedException {
        Reply reply;
        try {
            reply = records.size() == 1 && Batch.mustTravelAlone(records.getFirst())
                    ? container.writeAlone(records.getFirst().write())
                    : container.write(
                            range, records.stream().map(ItemRecord::write).toList());
        } catch (IOException unanswered) {
            rest.hindered(records, unanswered(unanswered));
            return;
        }
        switch (reply) {
            case Reply.Done(var results) -> settle(records, results, rest);
            case Reply.Refused refused -> refused(range, records, refused, rest);
        }
    }

    private void refused(String range, List<ItemRecord> records, Reply.Refused refused, Rest rest)
            throws HopelessException, InterruptedException {
        switch (refused.status()) {
            case 429 -> records.forEach(record -> rest.later(record, refused.retryAfterMillis()));
            case 410 -> {
                records.forEach(record -> rest.later(record, 0));
                refreshRanges(rest);
            }
            case 400, 413 -> {
                if (records.size() == 1) {
                    refuse(records.getFirst(), refused.message());
                } else {
                    for (var record : records) {
                        sendOnce(range, List.of(record), rest);
                    }
                }
            }
            case 401, 403, 404 -> throw new HopelessException(refused.message());
            default -> rest.hindered(records, refused.message());
        }
    }

    private void settle(List<ItemRecord> records, List<Result> results, Rest rest) throws InterruptedException {
        boolean rangeGone = false;
        for (int i = 0; i < records.size(); i++) {
            var record = records.get(i);
            var result = results.get(i);
            switch (result.status()) {
                case 200, 201 -> ledger.imported(record.number());
                case 409 -> conflict(record, result, rest);
                case 429, 449 -> rest.later(record, result.retryAfterMillis());
                case 410 -> {
                    rangeGone = true;
                    rest.later(record, 0);
                }
                case 408, 500, 503 -> rest.hindered(List.of(record), result.message());
                default -> refuse(record, result.message());
            }
        }
        if (rangeGone) {
            refreshRanges(rest);
        }
    }

    private void refreshRanges(Rest rest) throws InterruptedException {
        try {
            ranges.refresh();
        } catch (IOException unanswered) {
            rest.hindrance = unanswered(unanswered);
        } catch (RefusedException refused) {
            rest.hindrance = refused.getMessage();
        }
    }

    /** The id is taken, perhaps by this very record. */
    private void conflict(ItemRecord record, Result result, Rest rest) throws InterruptedException {
        try {
            if (record.isUncertain() && isStored(record)) {
                ledger.imported(record.number());
            } else if (conflict == Conflict.SKIP) {
                ledger.skipped(record.number());
            } else {
                refuse(record, result.message());
            }
        } catch (IOException unanswered) {
            rest.hindered(List.of(record), unanswered(unanswered));
        } catch (RefusedException refused) {
            rest.hindered(List.of(record), refused.getMessage());
        }
    }

    private boolean isStored(ItemRecord record) throws IOException, InterruptedException, RefusedException {
        return container
                .find(record.id(), record.write().partitionKey())
                .filter(record::isStoredAs)
                .isPresent();
    }

    private static String unanswered(IOException problem) {
        return "The server does not answer"
                + (problem.getMessage() == null ? "" : " (" + problem.getMessage() + ")")
                + ".";
    }

    private void refuse(ItemRecord record, String message) {
        refusals.refuse(record.number(), record.file(), new Entry.Malformed(record.line(), 0, message));
    }
}
