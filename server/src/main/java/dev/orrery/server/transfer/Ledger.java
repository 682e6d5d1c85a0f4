package dev.orrery.server.transfer;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * Keeps the books of an import: which records are under way, and up to which one all are settled. One thread opens
 * records in order, many settle them in any order.
 */
final class Ledger {
    /** How far records may run ahead of the oldest that is not settled. */
    static final int WINDOW_RECORDS = 20_000;

    /** What may be under way at once; an import holds not much more than this. */
    private static final long WINDOW_BYTES = 64L * 1024 * 1024;

    private enum State {
        OPEN,
        DONE,
        FAILED
    }

    private static final class Slot {
        private final long digest;
        private final int bytes;
        private State state = State.OPEN;

        Slot(long digest, int bytes) {
            this.digest = digest;
            this.bytes = bytes;
        }
    }

    private final Checkpoint start;

    /** Those that an earlier run has acknowledged as failed, and that are tried again. */
    private final Map<Long, Slot> again = new HashMap<>();

    /** Those behind the acknowledged ones, by record number modulo the size. */
    private final Slot[] window = new Slot[WINDOW_RECORDS];

    private final SortedSet<Long> failed;
    private long acknowledged;
    private long opened;
    private long digest;
    private long imported;
    private long skipped;
    private long bytesOpen;

    Ledger(Checkpoint start) {
        this.start = start;
        this.failed = new TreeSet<>(start.failed());
        this.acknowledged = start.acknowledged();
        this.opened = start.acknowledged();
        this.digest = start.digest();
        this.imported = start.imported();
        this.skipped = start.skipped();
    }

    /** What a record adds to the digest; it depends on the place as well. */
    static long digest(long record, byte[] json) {
        var sum = new CRC32C();
        sum.update(json);
        long mixed = (sum.getValue() + 1) * 0x9e3779b97f4a7c15L ^ record * 0xc2b2ae3d27d4eb4fL;
        return mixed ^ mixed >>> 29;
    }

    /** Waits for room, but not for ever; returns whether there is some. */
    synchronized boolean awaitRoom(long millis) throws InterruptedException {
        return await(this::hasRoom, millis);
    }

    /** Waits for nothing to be under way any more, but not for ever; returns whether that is so. */
    synchronized boolean awaitSettled(long millis) throws InterruptedException {
        return await(() -> opened == acknowledged && again.isEmpty(), millis);
    }

    private boolean await(BooleanSupplier condition, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (!condition.getAsBoolean() && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        return condition.getAsBoolean();
    }

    private boolean hasRoom() {
        return opened - acknowledged < WINDOW_RECORDS && bytesOpen < WINDOW_BYTES;
    }

    /** Takes the next record on, or one of those that failed before; there must be room. */
    synchronized void open(long record, long digestOfRecord, int bytes) {
        var slot = new Slot(digestOfRecord, bytes);
        bytesOpen += bytes;
        if (record <= start.acknowledged()) {
            again.put(record, slot);
        } else {
            opened = record;
            window[place(record)] = slot;
        }
    }

    synchronized void imported(long record) {
        imported++;
        settle(record, State.DONE);
    }

    synchronized void skipped(long record) {
        skipped++;
        settle(record, State.DONE);
    }

    synchronized void failed(long record) {
        settle(record, State.FAILED);
    }

    private void settle(long record, State state) {
        boolean known = record <= start.acknowledged();
        var slot = known ? again.remove(record) : window[place(record)];
        slot.state = state;
        bytesOpen -= slot.bytes;
        if (!known) {
            acknowledge();
        } else if (state == State.DONE) {
            failed.remove(record);
            digest += slot.digest;
        }
        notifyAll();
    }

    private void acknowledge() {
        while (acknowledged < opened && window[place(acknowledged + 1)].state != State.OPEN) {
            acknowledged++;
            var slot = window[place(acknowledged)];
            window[place(acknowledged)] = null;
            if (slot.state == State.FAILED) {
                failed.add(acknowledged);
            } else {
                digest += slot.digest;
            }
        }
    }

    private static int place(long record) {
        return (int) (record % WINDOW_RECORDS);
    }

    synchronized long imported() {
        return imported;
    }

    synchronized Checkpoint checkpoint() {
        return new Checkpoint(
                start.target(), start.files(), start.run(), acknowledged, digest, failed, imported, skipped);
    }
}
