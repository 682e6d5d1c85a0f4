package dev.orrery.bench.harness;

import java.time.Duration;

/** Something that can be put under load. */
public interface Contender {
    String name();

    ChildServer server();

    /** What one measurement says; the time of the processors is NaN where the system does not tell. */
    record Sample(double requestsPerSecond, double cpuMicros) {}

    /** A load that goes on until it is closed. */
    interface Session extends AutoCloseable {
        Load.Result run(Duration duration) throws InterruptedException;

        @Override
        void close();
    }

    Session open(Scenario scenario, int connections);

    /** Warms up on the same connections, then measures. */
    default Sample measure(Scenario scenario, int connections, Duration warmup, Duration measured)
            throws InterruptedException {
        try (var session = open(scenario, connections)) {
            session.run(warmup);
            var before = server().cpu();
            var result = session.run(measured);
            var cpuMicros = server().cpu()
                    .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / result.requests())
                    .orElse(Double.NaN);
            return new Sample(result.requestsPerSecond(), cpuMicros);
        }
    }
}
