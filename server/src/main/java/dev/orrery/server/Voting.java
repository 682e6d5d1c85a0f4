package dev.orrery.server;

import dev.orrery.council.CouncilSeat;
import dev.orrery.council.CouncilTimes;
import dev.orrery.council.LinkFaults;
import dev.orrery.council.RatisCouncil;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.link.LinkKey;
import dev.orrery.gateway.tls.PassingCertificate;
import dev.orrery.region.Charter;
import dev.orrery.region.Council;
import dev.orrery.region.Faults;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;

/** A seat in the council of an account whose regions vote. */
final class Voting {
    private Voting() {}

    /**
     * Takes the seat of the region or witness that a plan is for.
     *
     * @param accountKeys each of which proves a member
     */
    static Council open(
            RegionPlan plan,
            Charter charter,
            boolean isFounder,
            Path folder,
            Supplier<AccountKeys> accountKeys,
            Faults faults,
            RandomGenerator random) {
        return RatisCouncil.open(new CouncilSeat(
                plan.account(),
                plan.me(),
                charter,
                isFounder,
                folder,
                listening(charter.find(plan.me()).orElseGet(plan::mine).council()),
                () -> LinkKey.all(accountKeys.get()).stream()
                        .<SecretKey>map(key -> new SecretKeySpec(key.secretFor("council"), "HmacSHA256"))
                        .toList(),
                encryption(charter),
                CouncilTimes.USUAL,
                new LinkFaults() {
                    @Override
                    public boolean isCut(String member) {
                        return faults.isCut(member);
                    }

                    @Override
                    public long delayMillis(String member) {
                        return faults.delayMillis(member);
                    }
                },
                System::nanoTime,
                random,
                task -> Thread.ofPlatform().name("council").daemon().start(task)));
    }

    /** Between machines, votes are encrypted; on one machine nobody could listen who could not read the memory as well. */
    private static Optional<SSLContext> encryption(Charter charter) {
        boolean isAllHere = charter.members().stream()
                .allMatch(member ->
                        RegionOptions.isHere(listening(member.council()).getHostString()));
        return isAllHere
                ? Optional.empty()
                : Optional.of(PassingCertificate.context(Instant.now(), new SecureRandom()));
    }

    private static InetSocketAddress listening(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
