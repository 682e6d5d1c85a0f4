package dev.orrery.conformance.sdk;

import dev.orrery.conformance.server.OrreryServer;
import java.net.URI;

/** The two ways to one port. */
enum Transport {
    HTTP,
    HTTPS;

    URI endpoint(OrreryServer server) {
        return switch (this) {
            case HTTP -> server.http();
            case HTTPS -> server.https();
        };
    }
}
