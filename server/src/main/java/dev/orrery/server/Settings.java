package dev.orrery.server;

import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.HostName;
import dev.orrery.gateway.reply.AccountDescription.Staleness;
import dev.orrery.store.rocksdb.Durability;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a server is to run: what the command line says, else the configuration file, else the default.
 *
 * @param directPort for clients in Direct mode
 * @param data absent to keep everything in memory
 * @param cacheBytes memory for what is read from disk
 * @param diskReserveBytes what is to be left of the disk; absent for what is right for most
 * @param logicalPartitionBytesMax how much the items of one partition key may take
 * @param changeRetention for how long all versions of items are kept for readers of the change feed
 * @param metering what requests cost, and whether throughput is enforced
 * @param servesRawQueries whether queries over several partitions are answered without a plan
 * @param keySources where the keys of the account come from
 * @param door how clients find the server, and who of them is let in
 * @param emulation how far it stands in for the official emulators
 * @param regions the account of several regions that this server is one of, if it is
 * @param staleness how far regions may be behind at bounded staleness
 * @param auditLog where changes to what describes the data are noted, if anywhere
 */
record Settings(
        String host,
        int port,
        DirectPort directPort,
        Optional<Path> data,
        KeySources keySources,
        Durability durability,
        long cacheBytes,
        Optional<Long> diskReserveBytes,
        long logicalPartitionBytesMax,
        ConsistencyLevel defaultConsistency,
        Retention changeRetention,
        Metering metering,
        boolean servesRawQueries,
        Door door,
        Emulation emulation,
        Optional<Path> auditLog,
        Optional<RegionPlan> regions,
        Staleness staleness,
        Optional<ConfigurationFile> file) {

    /** As many bits as the signature has that is made with it. */
    private static final int KEY_BYTES_MIN = 32;

    /** The keys as they are now; refuses those that do not keep strangers out. */
    AccountKeys readKeys() {
        var keys = keySources.read();
        if (isLoopback(host)) {
            return keys;
        }
        if (keys.areWellKnown() && !door.allowsWellKnownKey()) {
            throw new UserError("Listening on " + host + " lets other machines in, and the default key is known to all."
                    + " Give a key of your own, for example: --key \"$(openssl rand -base64 64 | tr -d '\\n')\","
                    + " or say --allow-well-known-key where nobody but your own tests reaches this port.");
        }
        if (keys.shortestBytes() < KEY_BYTES_MIN) {
            throw new UserError("Listening on " + host + " lets other machines in, and a key of " + keys.shortestBytes()
                    + " bytes can be guessed: it needs at least " + KEY_BYTES_MIN
                    + ". Make one with: openssl rand -base64 64 | tr -d '\\n'");
        }
        return keys;
    }

    /** Whether everybody who reaches the port has a key to everything. */
    boolean isOpenToAll(AccountKeys keys) {
        return keys.areWellKnown() && !isLoopback(host);
    }

    /** By which this machine reaches the server. */
    String localName() {
        if (host.equals("localhost") || address(host).isAnyLocalAddress()) {
            return "localhost";
        }
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** Where clients are told to go, if that is not simply where they came from. */
    Optional<String> toldEndpoint() {
        return regions.map(RegionPlan::mine)
                .map(mine -> RegionOptions.isBeside(mine)
                        ? door.advertised()
                                .map(URI::create)
                                .map(url ->
                                        url.getScheme() + "://" + url.getHost() + ":" + RegionOptions.port(mine) + "/")
                                .orElse(mine.endpoint())
                        : mine.endpoint())
                .or(door::advertised);
    }

    /** What a certificate that the server makes itself speaks for, besides the local names. */
    List<String> certificateNames() {
        var names = new ArrayList<>(door.certificateNames());
        toldEndpoint()
                .map(endpoint ->
                        HostName.of(URI.create(endpoint).getAuthority()).text())
                .ifPresent(names::add);
        if (!address(host).isAnyLocalAddress()) {
            names.add(HostName.of(host).text());
        }
        return names;
    }

    private static boolean isLoopback(String host) {
        return address(host).isLoopbackAddress();
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new UserError(
                    "The host " + host + " is not known. Use localhost, 0.0.0.0 or an address of this machine.");
        }
    }
}
