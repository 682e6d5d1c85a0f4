package dev.orrery.council;

import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import dev.orrery.store.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;

/** The members of an account in one process, on real ports, with the clocks and the links in the hand of the test. */
final class Regions implements AutoCloseable {
    /** No proposal of a test fails because the machine is slow. */
    static final CouncilTimes PATIENT = times(Await.PATIENCE);

    private static final AtomicInteger PORTS = new AtomicInteger(20_000 + new Random().nextInt(10_000));

    private final Path folder;
    private final CouncilTimes times;
    private final AtomicLong nanos = new AtomicLong();
    private final Set<Set<String>> cuts = ConcurrentHashMap.newKeySet();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, RatisCouncil> seats = new HashMap<>();
    private final Map<String, Long> delays = new ConcurrentHashMap<>();

    Optional<SSLContext> tls = Optional.empty();
    Charter founding;

    Regions(Path folder, CouncilTimes times, String... names) {
        this.folder = folder;
        this.times = times;
        var members = new ArrayList<Member>();
        for (var name : names) {
            members.add(member(name, members.size(), name.startsWith("witness")));
        }
        founding = Charter.founding(members);
    }

    /**
     * Renewals are always patient: one that is given up and comes into the log late is a sign of life at a time that the held
     * clock does not know.
     *
     * @param patience how long a proposal waits: short where it can never be answered, since nothing else is to give up
     */
    static CouncilTimes times(Duration patience) {
        var usual = CouncilTimes.USUAL;
        return new CouncilTimes(
                usual.lease(),
                usual.silence(),
                usual.renewal(),
                usual.stagger(),
                Duration.ZERO,
                usual.electionMin(),
                usual.electionMax(),
                Await.PATIENCE,
                patience);
    }

    static Regions open(Path folder, String... names) {
        var regions = new Regions(folder, PATIENT, names);
        regions.openAll();
        return regions;
    }

    void openAll() {
        founding.members().forEach(member -> open(member.name(), founding));
    }

    static Member member(String name, int number, boolean isWitness) {
        return new Member(name, number, "http://127.0.0.1:0/", "127.0.0.1:" + freePort(), isWitness);
    }

    RatisCouncil open(String name, Charter charter) {
        return open(name, charter, "acme", "secret");
    }

    RatisCouncil open(String name, Charter charter, String account, String... keys) {
        var address = Links.address(charter.find(name).orElseThrow().council());
        var council = RatisCouncil.open(new CouncilSeat(
                account,
                name,
                charter,
                charter.equals(founding),
                folder.resolve(account).resolve(name),
                new InetSocketAddress(address.getHostString(), address.getPort()),
                () -> Stream.of(keys)
                        .<SecretKey>map(key -> new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"))
                        .toList(),
                tls,
                times,
                faultsOf(name),
                nanos::get,
                new SecureRandom(),
                executor));
        seats.put(name, council);
        return council;
    }

    private LinkFaults faultsOf(String name) {
        return new LinkFaults() {
            @Override
            public boolean isCut(String other) {
                return cuts.contains(Set.of(name, other));
            }

            @Override
            public long delayMillis(String other) {
                return Math.max(delays.getOrDefault(name, 0L), delays.getOrDefault(other, 0L));
            }
        };
    }

    RatisCouncil get(String name) {
        return seats.get(name);
    }

    List<RatisCouncil> all() {
        return List.copyOf(seats.values());
    }

    void cutOff(String name) {
        seats.keySet().stream().filter(other -> !other.equals(name)).forEach(other -> cuts.add(Set.of(name, other)));
    }

    /** How long what this one sends and is sent takes longer than usual. */
    void delay(String name, long millis) {
        delays.put(name, millis);
    }

    void heal() {
        cuts.clear();
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    void close(String name) {
        seats.remove(name).close();
    }

    /** Lets as much time pass as it takes until this one is named; how much depends on when the others saw the last renewal. */
    void passUntilNamed(String name) {
        Await.until(name + " is named", () -> {
            boolean isNamed = get(name).charter().writeRegion().equals(name);
            if (!isNamed) {
                pass(times.silence());
            }
            return isNamed;
        });
    }

    /** Until then, and until all have seen what gave the lease: one that sees it later also waits longer. */
    void awaitLease(String name) {
        Await.until(name + " is leased", () -> get(name).isLeased());
        all().forEach(council -> Await.until(
                "all have seen the renewal",
                () -> council.state().equals(get(name).state())));
    }

    /** Until all know it, and have read it in the log: from then on their time counts, and a proposer knows it earlier. */
    void awaitAgreement(Charter charter) {
        all().forEach(council -> {
            Await.value("the charter", council::charter, charter);
            Await.value("the charter in the log", () -> council.state().charter(), Optional.of(charter));
        });
    }

    /** Members vote as soon as the others count them in, a little after the charter names them. */
    void awaitVoters(String... names) {
        all().forEach(council -> Await.value("those who vote", council::voters, Set.of(names)));
    }

    /** Below the ports that systems give to those who ask for any: nobody else takes it before the member does. */
    static int freePort() {
        while (true) {
            int port = PORTS.getAndIncrement();
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException _) {
                // The next one may be free.
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(seats.keySet()).forEach(this::close);
        executor.shutdownNow();
    }
}
