package dev.orrery.engine.budget;

import java.util.Optional;

/**
 * How an account is metered.
 *
 * @param enforced whether requests beyond the throughput of their partition have to wait
 * @param serverless whether containers have no throughput of their own at all
 * @param chargeMax what any one request may cost at most
 */
public record Metering(Prices prices, boolean enforced, boolean serverless, Optional<Double> chargeMax) {
    /** The default price list, and nothing refused. */
    public static Metering free() {
        return new Metering(PriceLists.byDefault(), false, false, Optional.empty());
    }
}
