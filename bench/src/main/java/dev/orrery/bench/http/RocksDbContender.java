package dev.orrery.bench.http;

import dev.orrery.bench.harness.ChildServer;
import dev.orrery.bench.harness.Contender;
import dev.orrery.bench.harness.Load;
import dev.orrery.bench.harness.Scenario;
import java.time.Duration;

/** {@link RawRocksDb} in a process of its own, which makes its load itself. */
record RocksDbContender(String name, ChildServer server) implements Contender {
    @Override
    public Session open(Scenario scenario, int connections) {
        return new Session() {
            @Override
            public Load.Result run(Duration duration) throws InterruptedException {
                server.tell(connections + " " + duration.toMillis());
                var words = server.awaitLine("wrote ", duration).split(" ", -1);
                return new Load.Result(Long.parseLong(words[1]), Long.parseLong(words[2]));
            }

            @Override
            public void close() {
                // Its threads have ended with the last run.
            }
        };
    }
}
