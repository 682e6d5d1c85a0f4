package dev.orrery.council;

import dev.orrery.region.Charter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLContext;

/**
 * What one member needs to take part in the council of its account.
 *
 * @param account its name; members of other accounts are refused
 * @param member the name of this one
 * @param charter for a new folder: the last that is known
 * @param isFounder whether this member and the others of the charter begin the council; all founders name the same charter. One
 *     that joins waits until the others count it in
 * @param folder where its part of the log is kept
 * @param bind where it listens for the others, who find it by {@link dev.orrery.region.Member#council()}
 * @param keys the secrets that all members share, which prove who they are: the first is shown, and all are believed
 * @param tls how connections are encrypted, if they are; the keys prove both ends, so any certificate will do if the trust
 *     manager takes it
 * @param random must not be foreseen by others
 * @param executor runs each task at once on a thread of its own; some run as long as the council, and they block
 */
public record CouncilSeat(
        String account,
        String member,
        Charter charter,
        boolean isFounder,
        Path folder,
        InetSocketAddress bind,
        Supplier<List<SecretKey>> keys,
        Optional<SSLContext> tls,
        CouncilTimes times,
        LinkFaults faults,
        LongSupplier nanos,
        RandomGenerator random,
        Executor executor) {}
