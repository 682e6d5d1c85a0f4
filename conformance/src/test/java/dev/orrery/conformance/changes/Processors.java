package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosException;
import dev.orrery.conformance.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Several processors that follow one container, each for itself. */
final class Processors implements AutoCloseable {
    private final List<Processor> all = new ArrayList<>();

    void add(Processor processor) {
        all.add(processor);
    }

    /** Waits until each has so many leases, all of them taken, and has noted a place for them. */
    void awaitLeases(int count) {
        for (var processor : all) {
            Await.until("a processor has " + count + " leases", () -> isReady(processor, count));
        }
    }

    /** Waits until one host has all leases of each, so many of them. */
    void awaitOwner(String host, int count) {
        for (var processor : all) {
            Await.until(
                    host + " has " + count + " leases",
                    () -> processor.state().size() == count
                            && processor.owners().equals(Set.of(host)));
        }
    }

    void awaitNothingLeft() {
        for (var processor : all) {
            Await.until("nothing is left", () -> processor.lag() == 0);
        }
    }

    private static boolean isReady(Processor processor, int leases) {
        try {
            return processor.state().size() == leases && !processor.owners().contains("") && processor.lag() >= 0;
        } catch (CosmosException splitting) {
            // The SDK cannot tell the state of a lease whose range has been split before its host has noticed it.
            return false;
        }
    }

    @Override
    public void close() {
        all.forEach(Processor::close);
    }
}
