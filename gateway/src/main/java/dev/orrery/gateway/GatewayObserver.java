package dev.orrery.gateway;

/** Is told of every reply; called on hot paths, so it must be quick. */
@FunctionalInterface
public interface GatewayObserver {
    /** For whoever does not want to know. */
    GatewayObserver NONE = (_, _, _, _, _) -> {};

    /**
     * Called once for every reply.
     *
     * @param operation what was asked, one of a small fixed set of names: {@code ReadItem}, {@code QueryItems}
     * @param nanos from the request being complete to the reply being handed over
     */
    void answered(String operation, int status, int substatus, double requestCharge, long nanos);
}
