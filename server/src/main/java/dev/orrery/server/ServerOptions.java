package dev.orrery.server;

import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.client.AccountClient;
import java.net.URI;
import java.time.Clock;
import java.util.Base64;
import picocli.CommandLine.Option;

/** Which server a command talks to. */
final class ServerOptions {
    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "${env:ORRERY_ENDPOINT:-http://localhost:8081}",
            description = "Where the server is (default: $ORRERY_ENDPOINT, or http://localhost:8081).")
    private URI endpoint;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            defaultValue = "${env:ORRERY_KEY:-" + AccountKeys.WELL_KNOWN + "}",
            description = "Key of the account (default: $ORRERY_KEY, or the well-known key of the emulators).")
    private String key;

    AccountClient account() {
        return new AccountClient(checkedEndpoint(), checkedKey(), Clock.systemUTC());
    }

    /** The same account, asked at another of its regions. */
    ServerOptions at(String address) {
        var other = new ServerOptions();
        other.endpoint = URI.create(address);
        other.key = key;
        return other;
    }

    UserError unreachable(Exception cause) {
        return new UserError("No Orrery answers at " + endpoint + ". Start one with: orrery start", cause);
    }

    private URI checkedEndpoint() {
        var scheme = endpoint.getScheme();
        if (endpoint.getHost() == null || (!"http".equals(scheme) && !"https".equals(scheme))) {
            throw new UserError("The endpoint is an address such as http://localhost:8081, not '" + endpoint + "'.");
        }
        return endpoint;
    }

    private String checkedKey() {
        try {
            Base64.getDecoder().decode(key);
            return key;
        } catch (IllegalArgumentException bad) {
            throw new UserError("The key is not one: keys are base64 text.", bad);
        }
    }
}
