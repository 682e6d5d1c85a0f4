package dev.orrery.conformance.sdk;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.DirectConnectionConfig;
import dev.orrery.conformance.server.OrreryServer;
import java.time.Duration;

/** The ways of the Java SDK to a server. */
enum Transport {
    /** All requests over http. */
    HTTP,
    /** All requests over https. */
    HTTPS,
    /** The SDK's default: https for what describes, frames over TLS for items. */
    DIRECT;

    String endpoint(OrreryServer server) {
        return (this == HTTP ? server.http() : server.https()).toString();
    }

    CosmosClientBuilder builder(OrreryServer server) {
        var builder = new CosmosClientBuilder().endpoint(endpoint(server));
        // The SDK gives a request in Direct mode 5 s unless it is told more, and takes no more than 10.
        return this == DIRECT
                ? builder.directMode(
                        DirectConnectionConfig.getDefaultConfig().setNetworkRequestTimeout(Duration.ofSeconds(10)))
                : builder.gatewayMode();
    }
}
