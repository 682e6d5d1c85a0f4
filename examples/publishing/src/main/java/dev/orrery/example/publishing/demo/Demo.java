package dev.orrery.example.publishing.demo;

import com.azure.core.http.ProxyOptions;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosEndToEndOperationLatencyPolicyConfigBuilder;
import com.azure.cosmos.GatewayConnectionConfig;
import dev.orrery.checker.Recorder;
import dev.orrery.example.common.Account;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.Together;
import dev.orrery.example.publishing.ContentPublishDatabase;
import dev.orrery.example.publishing.ContentSchema;
import dev.orrery.example.publishing.RegionalAccount;
import dev.orrery.example.publishing.demo.Diary.Event.Kind;
import dev.orrery.example.publishing.demo.Result.ProcessSize;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One run, from no process at all to the verdict. */
final class Demo {
    private static final int FAR_CALLS = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    /**
     * Whoever gets no answer for so long tries again later. The SDK needs some seconds to find out that the write region is
     * another one; whoever stops it earlier keeps it from that.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A region that has not caught up after this time is told in the verdict. */
    private static final Duration CATCH_UP_MAX = Duration.ofMinutes(1);

    /**
     * What to do.
     *
     * @param stretch how long people work with all regions, without one, and with all again
     * @param apart how long a message to another region and its answer are on their way
     */
    record Plan(int regions, Duration stretch, Duration apart) {}

    private final Plan plan;
    private final List<Region> regions;
    private final Network network;
    private final List<AccountServers> accounts = new ArrayList<>();
    private final Map<Region, InetSocketAddress> gates = new EnumMap<>(Region.class);
    private final Actions.Notes notes;
    private final List<ProcessSize> processes = new ArrayList<>();

    Demo(Plan plan) {
        this.plan = plan;
        regions = Region.first(plan.regions());
        network = new Network(plan.apart());
        notes = new Actions.Notes(new Diary(), new Recorder(System::nanoTime), new Sightings(regions));
    }

    /**
     * Runs it.
     *
     * @param orrery the folder of the launcher
     * @param folder for the data of the servers
     */
    Result run(Path orrery, Path folder) {
        double startSeconds = start(orrery, folder);
        var near = regions.stream().map(here -> actions(here, here)).toList();
        var far =
                regions.stream().map(here -> actions(here, here.next(regions))).toList();
        System.err.println("let people in");
        var crowds = regions.stream()
                .map(here -> new Crowd(here, near.get(regions.indexOf(here)), notes.sightings()))
                .toList();
        pause(WARM_UP);
        double from = notes.diary().now();
        var lags = new LagWatch(accounts, notes.diary());
        System.err.println("all regions are up");
        pause(plan.stretch());
        System.err.println("ask other regions, to compare");
        Together.forEach(far, Demo::doEverything);
        var lost = regions.getFirst();
        lose(lost);
        pause(plan.stretch());
        bringBack(lost);
        pause(plan.stretch());
        double to = notes.diary().now();
        crowds.forEach(Crowd::goHome);
        lags.close();
        weigh(regions);
        System.err.println("look whether everything is there, and the same everywhere");
        var verdict = new Audit(accounts).run(notes.written().operations());
        return new Result(
                regions,
                (int) plan.apart().toMillis(),
                startSeconds,
                from,
                to,
                notes.diary().calls(),
                notes.sightings().all(),
                notes.sightings().unseen(),
                lags.all(),
                notes.diary().events(),
                processes,
                verdict);
    }

    private double start(Path orrery, Path folder) {
        System.err.println("start " + regions.size() + " accounts");
        long begin = System.nanoTime();
        accounts.addAll(Together.map(regions, home -> AccountServers.start(orrery, folder, home, regions)));
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.err.printf(Locale.ROOT, "all processes are ready after %.1f s%n", seconds);
        for (var account : accounts) {
            account.join(network);
            try (var client = new Account(account.endpoint(account.home()), LocalServer.KEY)) {
                ContentSchema.create(client.createDatabase(ContentSchema.DATABASE));
            }
        }
        regions.forEach(region -> gates.put(region, network.open(region)));
        return seconds;
    }

    /**
     * What people in a region can do.
     *
     * @param nearest the region whose servers they take for the nearest
     */
    private Actions actions(Region here, Region nearest) {
        var others = new ArrayList<>(accounts);
        others.remove(account(nearest));
        var platform = new ContentPublishDatabase(
                nearest.before(regions).stream().map(Region::title).toList(),
                connection(account(nearest)),
                others.stream().map(Demo::connection).toList(),
                builder -> through(builder, gates.get(here)));
        int session = regions.indexOf(here) + (here == nearest ? 0 : regions.size());
        return new Actions(here, nearest, platform, notes, session);
    }

    private AccountServers account(Region home) {
        return accounts.get(regions.indexOf(home));
    }

    private static RegionalAccount connection(AccountServers account) {
        return new RegionalAccount(account.endpoint(), LocalServer.KEY);
    }

    private static CosmosClientBuilder through(CosmosClientBuilder builder, InetSocketAddress gate) {
        return builder.gatewayMode(
                        new GatewayConnectionConfig().setProxy(new ProxyOptions(ProxyOptions.Type.HTTP, gate)))
                .endToEndOperationLatencyPolicyConfig(
                        new CosmosEndToEndOperationLatencyPolicyConfigBuilder(PATIENCE).build());
    }

    private static void doEverything(Actions actions) {
        for (int i = 0; i < FAR_CALLS; i++) {
            actions.subscribe();
            actions.publish();
            actions.review();
            actions.readFeed();
            actions.readArticle();
            actions.readReviews(actions.underReview());
        }
    }

    private void lose(Region region) {
        weigh(List.of(region));
        Together.forEach(accounts, account -> account.kill(region));
        notes.diary().add(Kind.LOST, region + " is lost: all its processes were killed");
        failOver(account(region), region.next(regions), true);
    }

    private void bringBack(Region region) {
        Together.forEach(accounts, account -> account.restart(region));
        notes.diary().add(Kind.BACK, region + " is back: all its processes were started again");
        long deadline = System.nanoTime() + CATCH_UP_MAX.toNanos();
        while (!accounts.stream().allMatch(account -> account.hasCaughtUp(region)) && System.nanoTime() < deadline) {
            pause(LOOK_AGAIN);
        }
        notes.diary().add(Kind.CAUGHT_UP, region + " has caught up: its copies are less than a second behind");
        failOver(account(region), region, false);
    }

    private void failOver(AccountServers account, Region to, boolean lost) {
        account.failOver(to, lost);
        notes.diary().add(Kind.FAILED_OVER, account.home().account() + " is written in " + to);
    }

    /** Notes how much memory the processes of some regions have needed. */
    private void weigh(List<Region> some) {
        for (var account : accounts) {
            for (var region : account.regions()) {
                if (some.contains(region)) {
                    account.peakBytes(region)
                            .ifPresent(bytes -> processes.add(new ProcessSize(account.home(), region, bytes)));
                }
            }
        }
    }

    /** Ends all processes. */
    void close() {
        accounts.forEach(AccountServers::kill);
        network.close();
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DemoException("It was stopped.", interrupted);
        }
    }
}
