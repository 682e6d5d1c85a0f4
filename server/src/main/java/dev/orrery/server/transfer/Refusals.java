package dev.orrery.server.transfer;

/** Tells of records that are not imported, and gives up when they are too many. */
final class Refusals {
    private final Ledger ledger;
    private final ImportListener listener;
    private final long countMax;
    private final StopSignal stop;
    private long count;

    Refusals(Ledger ledger, ImportListener listener, long countMax, StopSignal stop) {
        this.ledger = ledger;
        this.listener = listener;
        this.countMax = countMax;
        this.stop = stop;
    }

    /** Those that are still under way when the import gives up are not told of: there may be thousands. */
    synchronized void refuse(long record, String file, Entry.Malformed place) {
        count++;
        if (count <= countMax + 1) {
            listener.refused(file, place.line(), place.column(), place.message());
        }
        if (count == countMax + 1) {
            stop.give("Gave up, because more than " + countMax + " records were refused (see --errors-max).");
        }
        ledger.failed(record);
    }

    /** How many were told of. */
    synchronized long told() {
        return Math.min(count, countMax + 1);
    }

    void hindered(String message) {
        listener.hindered(message);
    }
}
