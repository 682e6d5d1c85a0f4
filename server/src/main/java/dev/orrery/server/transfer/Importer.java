package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries the items of files into a container: one thread reads, and several send what it has read. All records of the
 * same item go to the same sender, so that the last of them is the one that stays.
 */
public final class Importer {
    /**
     * How an import ended.
     *
     * @param begun whether any record was looked at, now or by an earlier run
     * @param refused how many records this run has told to be refused
     * @param reason why it has not read everything, if so
     */
    public record Outcome(Checkpoint end, boolean begun, long refused, Optional<String> reason) {
        /** Whether another run can go on where this one ended. */
        public boolean isResumable() {
            return begun && !reason.equals(Optional.of(CHANGED));
        }
    }

    private static final String CHANGED = "The files, or how they are read, have changed since the checkpoint was"
            + " written, so that nobody knows where to go on. Remove the checkpoint to begin anew.";

    private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOOK_MILLIS = 100;

    private final ContainerClient container;
    private final ImportPlan plan;
    private final ImportListener listener;
    private final StopSignal stop;
    private final Ledger ledger;
    private final Refusals refusals;
    private final RecordMaker maker;
    private final RangeMap ranges;
    private final List<Outbox> outboxes = new ArrayList<>();

    /** Batches that are being filled, by range, for each sender. */
    private final List<Map<String, Batch>> open = new ArrayList<>();

    private final AtomicLong bytesRead = new AtomicLong();
    private long number;
    private long digestOfKnown;
    private long saved;
    private long told;

    public Importer(ContainerClient container, ImportPlan plan, ImportListener listener, StopSignal stop)
            throws IOException, InterruptedException, RefusedException {
        this.container = container;
        this.plan = plan;
        this.listener = listener;
        this.stop = stop;
        this.ledger = new Ledger(plan.start());
        this.refusals = new Refusals(ledger, listener, plan.errorsMax(), stop);
        this.maker = new RecordMaker(container.describe().partitionKey(), plan);
        this.ranges = new RangeMap(container);
    }

    /** Returns when everything is settled, or nothing is under way any more because the stop signal was given. */
    public Outcome run() throws IOException, InterruptedException {
        save();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < plan.connections(); i++) {
            var outbox = new Outbox(stop);
            outboxes.add(outbox);
            open.add(new HashMap<>());
            var sender = new Sender(container, ranges, ledger, plan.conflict(), refusals, outbox);
            threads.add(Thread.ofVirtual().name("import-" + i).start(sender));
        }
        var broken = readAll();
        flush();
        while (!stop.isGiven() && !ledger.awaitSettled(LOOK_MILLIS)) {
            tick();
        }
        outboxes.forEach(Outbox::close);
        for (var thread : threads) {
            thread.join();
        }
        listener.progress(bytesRead.get(), ledger.imported());
        save();
        return new Outcome(
                ledger.checkpoint(),
                plan.resumed() || number > 0,
                refusals.told(),
                stop.reason().or(() -> broken));
    }

    // ---- reading ----

    /** Returns why it could not read to the end, if so. */
    private Optional<String> readAll() throws InterruptedException {
        for (var source : plan.sources()) {
            try (var in = source.open(bytesRead)) {
                read(source, in);
            } catch (MalformedFileException bad) {
                return Optional.of(source.name() + ":" + bad.line() + ":" + bad.column() + ": " + bad.getMessage());
            } catch (IOException bad) {
                return Optional.of(source.name() + " cannot be read: " + Problem.text(bad));
            }
        }
        long known = plan.start().acknowledged();
        boolean changed = number < known
                || (number == known && digestOfKnown != plan.start().digest());
        return changed && !stop.isGiven() ? Optional.of(CHANGED) : Optional.empty();
    }

    private void read(Source source, InputStream in) throws IOException, MalformedFileException, InterruptedException {
        var reader = EntryReader.of(source.format(), in, plan.csv());
        for (var entry = reader.next(); entry.isPresent() && !stop.isGiven(); entry = reader.next()) {
            number++;
            if (!isKnown(entry.get())) {
                take(source.name(), entry.get());
            }
            tick();
        }
    }

    /** Whether an earlier run has settled it; compares all of those with what that run has seen. */
    private boolean isKnown(Entry entry) {
        var start = plan.start();
        if (number <= start.acknowledged() && !start.failed().contains(number)) {
            if (entry instanceof Entry.Text text) {
                digestOfKnown += Ledger.digest(number, text.json());
            }
            return true;
        }
        if (number == start.acknowledged() + 1 && digestOfKnown != start.digest()) {
            stop.give(CHANGED);
            return true;
        }
        return false;
    }

    private void take(String file, Entry entry) throws InterruptedException {
        awaitRoom();
        switch (entry) {
            case Entry.Malformed malformed -> {
                ledger.open(number, 0, 0);
                refusals.refuse(number, file, malformed);
            }
            case Entry.Text text -> {
                ledger.open(number, Ledger.digest(number, text.json()), text.json().length);
                try {
                    put(maker.make(number, file, text));
                } catch (RecordMaker.UnfitException unfit) {
                    refusals.refuse(number, file, unfit.place());
                }
            }
        }
    }

    private void awaitRoom() throws InterruptedException {
        if (ledger.awaitRoom(0)) {
            return;
        }
        flush();
        while (!stop.isGiven() && !ledger.awaitRoom(LOOK_MILLIS)) {
            tick();
        }
    }

    // ---- sending ----

    private void put(ItemRecord record) throws InterruptedException {
        if (plan.resumed() && number <= plan.start().acknowledged() + Ledger.WINDOW_RECORDS) {
            record.makeUncertain();
        }
        int sender = Math.floorMod(record.itemHash() ^ record.itemHash() >>> 32, plan.connections());
        var batches = open.get(sender);
        var range = ranges.rangeOf(record.place());
        var batch = batches.computeIfAbsent(range, _ -> new Batch());
        if (!batch.accepts(record)) {
            dispatch(sender, batch);
            batch = new Batch();
            batches.put(range, batch);
        }
        batch.add(record);
        if (batch.isFull()) {
            batches.remove(range);
            dispatch(sender, batch);
        }
    }

    private void flush() throws InterruptedException {
        for (int sender = 0; sender < open.size(); sender++) {
            for (var batch : open.get(sender).values()) {
                dispatch(sender, batch);
            }
            open.get(sender).clear();
        }
    }

    private void dispatch(int sender, Batch batch) throws InterruptedException {
        while (!stop.isGiven() && !outboxes.get(sender).offer(batch)) {
            tick();
        }
    }

    // ---- telling ----

    private void tick() {
        long now = System.nanoTime();
        if (now - told > PROGRESS_NANOS) {
            told = now;
            listener.progress(bytesRead.get(), ledger.imported());
        }
        if (now - saved > SAVE_NANOS) {
            try {
                save();
            } catch (IOException unwritable) {
                stop.give("The checkpoint cannot be written: " + Problem.text(unwritable));
            }
        }
    }

    private void save() throws IOException {
        saved = System.nanoTime();
        if (plan.checkpointFile().isPresent()) {
            ledger.checkpoint().save(plan.checkpointFile().get());
        }
    }
}
