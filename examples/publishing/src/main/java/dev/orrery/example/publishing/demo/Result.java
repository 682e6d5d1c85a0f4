package dev.orrery.example.publishing.demo;

import java.util.List;

/**
 * What a run has shown.
 *
 * @param apartMillis how long a message to another region and its answer are on their way
 * @param fromMillis when everything was warm: what was before does not count
 * @param toMillis when people went home
 * @param lags what the servers say of themselves
 * @param startSeconds how long it took until all processes were ready
 * @param processes how much memory each of them has needed at most
 * @param settling how writes were settled; nothing was where each account is written in one region
 */
record Result(
        Layout layout,
        List<Region> regions,
        int apartMillis,
        double startSeconds,
        double fromMillis,
        double toMillis,
        List<Call> calls,
        List<Sightings.Sighting> sightings,
        int unseen,
        List<LagWatch.Lag> lags,
        List<Diary.Event> events,
        List<ProcessSize> processes,
        Settling settling,
        News news,
        Audit.Verdict verdict) {
    Result {
        regions = List.copyOf(regions);
        calls = List.copyOf(calls);
        sightings = List.copyOf(sightings);
        lags = List.copyOf(lags);
        events = List.copyOf(events);
        processes = List.copyOf(processes);
    }

    /** The most memory that a process has had. */
    record ProcessSize(String account, Region region, long bytesMax) {}

    /** Whether everything was warm, and no region was lost yet. */
    boolean isCalm(double atMillis) {
        var lost = events.stream()
                .filter(event -> event.kind() == Diary.Event.Kind.LOST)
                .mapToDouble(Diary.Event::atMillis)
                .min()
                .orElse(Double.MAX_VALUE);
        return atMillis >= fromMillis && atMillis < lost;
    }

    /** The times of all calls of a kind that were answered while all regions were up. */
    Quantiles times(Region region, Method method, boolean far) {
        return Quantiles.of(calls.stream()
                .filter(call -> call.region() == region && call.method() == method && call.far() == far)
                .filter(call -> !call.failed() && isCalm(call.atMillis()) && isCalm(call.atMillis() + call.millis()))
                .mapToDouble(Call::millis)
                .toArray());
    }

    /** The times of all calls in the region of those who made them, that were answered while all regions were up. */
    Quantiles times(Method method) {
        return Quantiles.of(calls.stream()
                .filter(call -> call.method() == method && !call.far() && !call.failed())
                .filter(call -> isCalm(call.atMillis()) && isCalm(call.atMillis() + call.millis()))
                .mapToDouble(Call::millis)
                .toArray());
    }

    /** How long after it was acknowledged something was seen in any other region, while all were up. */
    Quantiles lagElsewhere() {
        return Quantiles.of(sightings.stream()
                .filter(sighting -> sighting.origin() != sighting.here())
                .filter(sighting -> isCalm(sighting.atMillis() + sighting.laterMillis()))
                .mapToDouble(Sightings.Sighting::laterMillis)
                .toArray());
    }

    /** How many calls got no answer since everything was warm. */
    long unanswered() {
        return calls.stream()
                .filter(call -> call.failed() && call.atMillis() >= fromMillis)
                .count();
    }

    long processCount() {
        return processes.stream()
                .map(process -> process.account() + " " + process.region())
                .distinct()
                .count();
    }

    /** The most memory that any of them has needed. */
    long bytesMax() {
        return processes.stream().mapToLong(ProcessSize::bytesMax).max().orElse(0);
    }

    /** How long after it was acknowledged something of one region was seen in another, while all were up. */
    Quantiles lag(Region origin, Region here) {
        return Quantiles.of(sightings.stream()
                .filter(sighting -> sighting.origin() == origin && sighting.here() == here)
                .filter(sighting -> isCalm(sighting.atMillis() + sighting.laterMillis()))
                .mapToDouble(Sightings.Sighting::laterMillis)
                .toArray());
    }
}
