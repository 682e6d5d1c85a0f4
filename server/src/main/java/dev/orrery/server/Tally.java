package dev.orrery.server;

/** What came of some requests, added up by one thread. */
final class Tally {
    private long requests;
    private double requestUnits;
    private long throttled;
    private final Latencies.Sum latencies = new Latencies.Sum();

    void addReplies(long count, double charge) {
        requests += count;
        requestUnits += charge;
    }

    void addOperation(long throttledCount, Latencies timed) {
        throttled += throttledCount;
        timed.addTo(latencies);
    }

    long requests() {
        return requests;
    }

    double requestUnits() {
        return requestUnits;
    }

    long throttled() {
        return throttled;
    }

    /** The latency that a share of them stays below. */
    double millis(double share) {
        return latencies.millis(share);
    }
}
