package dev.orrery.server;

import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.store.rocksdb.Durability;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a server is to run: what the command line says, else the configuration file, else the default.
 *
 * @param directPort for clients in Direct mode
 * @param data absent to keep everything in memory
 * @param cacheBytes memory for what is read from disk
 * @param diskReserveBytes what is to be left of the disk; absent for what is right for most
 * @param changeRetention for how long all versions of items are kept for readers of the change feed
 * @param metering what requests cost, and whether throughput is enforced
 * @param servesRawQueries whether queries over several partitions are answered without a plan
 * @param advertised the address that clients are told to use, absent to tell them the one they used
 * @param certificateNames names for the certificate besides the local ones
 */
record Settings(
        String host,
        int port,
        DirectPort directPort,
        Optional<Path> data,
        AccountKeys keys,
        Durability durability,
        long cacheBytes,
        Optional<Long> diskReserveBytes,
        ConsistencyLevel defaultConsistency,
        Retention changeRetention,
        Metering metering,
        boolean servesRawQueries,
        Optional<String> advertised,
        List<String> certificateNames,
        Optional<ConfigurationFile> file) {

    /** Published, and the same everywhere: good for a machine that only its user reaches, and for nothing else. */
    static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    Settings {
        certificateNames = List.copyOf(certificateNames);
        if (keys.contain(WELL_KNOWN_KEY) && !isLoopback(host)) {
            throw new UserError("Listening on " + host + " lets other machines in, and the default key is known to all."
                    + " Give a key of your own, for example: --key \"$(openssl rand -base64 64 | tr -d '\\n')\"");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            throw new UserError(
                    "The host " + host + " is not known. Use localhost, 0.0.0.0 or an address of this machine.");
        }
    }

    boolean usesWellKnownKey() {
        return keys.primary().equals(WELL_KNOWN_KEY);
    }
}
