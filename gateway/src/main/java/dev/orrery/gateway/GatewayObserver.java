package dev.orrery.gateway;

import dev.orrery.engine.operation.Address;

/** Is told of every reply; called on hot paths, so it must be quick. */
@FunctionalInterface
public interface GatewayObserver {
    /** For whoever does not want to know. */
    GatewayObserver NONE = _ -> {};

    /** Called once for every reply. */
    void answered(Reply reply);

    /**
     * A reply in figures.
     *
     * @param operation what was asked, one of a small fixed set of names: {@code ReadItem}, {@code QueryItems}
     * @param about where that leads, as the client wrote it: nothing need be there
     * @param throttled how much was refused for now: the request, or that many entries of a batch
     * @param nanos from the request being complete to the reply being handed over
     */
    record Reply(
            String operation,
            Address about,
            int status,
            int substatus,
            int throttled,
            double requestCharge,
            long nanos) {}
}
