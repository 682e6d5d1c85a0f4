package dev.orrery.conformance.server;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.DirectConnectionConfig;
import java.time.Duration;

/**
 * How Java clients speak to a server. Suites that take one way only take gateway mode, since most of what can differ is
 * shown by the suites that take all ways; {@code -Dclient.mode=direct} runs these in Direct mode.
 */
public enum ClientMode {
    GATEWAY,
    DIRECT;

    /** A Java client accepts any certificate of a server on its own machine when this is set. */
    public static final String TRUST_ANY = "COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED";

    private static final String CHOICE = "client.mode";

    public static ClientMode chosen() {
        return System.getProperty(CHOICE, "gateway").equals("direct") ? DIRECT : GATEWAY;
    }

    public static CosmosClientBuilder apply(CosmosClientBuilder builder) {
        return chosen().to(builder);
    }

    public CosmosClientBuilder to(CosmosClientBuilder builder) {
        return this == GATEWAY ? withItsDefaults(builder) : patient(withItsDefaults(builder));
    }

    /** For suites that are right however often the SDK gives up and asks again. */
    public CosmosClientBuilder withItsDefaults(CosmosClientBuilder builder) {
        if (this == GATEWAY) {
            return builder.gatewayMode();
        }
        // Servers that are started for a test have certificates of their own.
        System.setProperty(TRUST_ANY, "true");
        return builder.directMode();
    }

    /** The SDK gives a request in Direct mode 5 s unless it is told more, and takes no more than 10. */
    private static CosmosClientBuilder patient(CosmosClientBuilder direct) {
        return direct.directMode(
                DirectConnectionConfig.getDefaultConfig().setNetworkRequestTimeout(Duration.ofSeconds(10)));
    }
}
