package dev.orrery.example.publishing.demo;

import java.util.ArrayList;
import java.util.List;

/** What happened, and when: all times are milliseconds since the demo began. */
final class Diary {
    /** Something that happened to a region. */
    record Event(double atMillis, Kind kind, String words) {
        enum Kind {
            LOST,
            FAILED_OVER,
            BACK,
            CAUGHT_UP
        }
    }

    private final long start = System.nanoTime();
    private final List<Call> calls = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    double now() {
        return (System.nanoTime() - start) / 1e6;
    }

    void add(Call call) {
        synchronized (calls) {
            calls.add(call);
        }
    }

    void add(Event.Kind kind, String words) {
        var event = new Event(now(), kind, words);
        System.err.println(words);
        synchronized (events) {
            events.add(event);
        }
    }

    List<Call> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }
}
