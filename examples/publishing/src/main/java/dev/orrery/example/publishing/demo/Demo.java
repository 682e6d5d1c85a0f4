package dev.orrery.example.publishing.demo;

import com.azure.core.http.ProxyOptions;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosEndToEndOperationLatencyPolicyConfigBuilder;
import com.azure.cosmos.GatewayConnectionConfig;
import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.Optional;

/** One run, from no process at all to the verdict. */
final class Demo {
    private static final String ONE_ACCOUNT = "contentpubdatabase";
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
     * @param layout the accounts that there are
     * @param stretch how long people work with all regions, without one, and with all again
     * @param apart how long a message to another region and its answer are on their way
     */
    record Plan(Layout layout, int regions, Duration stretch, Duration apart) {}

    private final Plan plan;
    private final List<Region> regions;
    private final Network network;
    private final List<AccountServers> accounts = new ArrayList<>();
    private final List<ContentPublishDatabase> platforms = new ArrayList<>();
    private final Map<Region, InetSocketAddress> gates = new EnumMap<>(Region.class);
    private final Actions.Notes notes;
    private final List<ProcessSize> processes = new ArrayList<>();
    private final Settling.Sum settling = new Settling.Sum();

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
        count(regions);
        return new Result(
                plan.layout(),
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
                settling.settling(),
                News.of(near),
                verdict);
    }

    private double start(Path orrery, Path folder) {
        System.err.println("start " + plan.layout().title() + ", in " + regions.size() + " regions");
        long begin = System.nanoTime();
        switch (plan.layout()) {
            case ACCOUNT_PER_REGION ->
                accounts.addAll(Together.map(
                        regions,
                        home -> AccountServers.start(orrery, folder, home.account(), home, regions, List.of())));
            case ONE_ACCOUNT ->
                accounts.add(AccountServers.start(
                        orrery, folder, ONE_ACCOUNT, regions.getFirst(), regions, List.of("--multi-write")));
        }
        accounts.forEach(AccountServers::awaitWriters);
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.err.printf(Locale.ROOT, "all processes are ready after %.1f s%n", seconds);
        accounts.forEach(account -> account.setApart(plan.apart()));
        for (var account : accounts) {
            account.join(network);
            try (var client = new Account(account.endpoint(account.home()), LocalServer.KEY)) {
                var database = client.createDatabase(ContentSchema.DATABASE);
                switch (plan.layout()) {
                    case ACCOUNT_PER_REGION -> ContentSchema.create(database);
                    case ONE_ACCOUNT -> ContentSchema.createForAllRegions(database);
                }
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
        platforms.add(platform);
        int session = regions.indexOf(here) + (here == nearest ? 0 : regions.size());
        return new Actions(here, nearest, account(nearest).name(), platform, notes, session);
    }

    /** The account that people write who take a region for the nearest. */
    private AccountServers account(Region nearest) {
        return switch (plan.layout()) {
            case ACCOUNT_PER_REGION -> accounts.get(regions.indexOf(nearest));
            case ONE_ACCOUNT -> accounts.getFirst();
        };
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
        regions.forEach(
                each -> status(each).forEach(status -> settling.addConfirmMillis(each, status.path("confirmed"))));
        count(List.of(region));
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
        notes.diary()
                .add(
                        Kind.FAILED_OVER,
                        switch (plan.layout()) {
                            case ACCOUNT_PER_REGION -> account.name() + " is written in " + to;
                            case ONE_ACCOUNT -> to + " settles what regions write";
                        });
    }

    /** Adds up what processes tell of the writes that they have settled. */
    private void count(List<Region> some) {
        some.forEach(region -> status(region).forEach(status -> settling.add(status.path("settled"))));
    }

    private List<JsonNode> status(Region region) {
        return accounts.stream()
                .map(account -> account.status(region))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Notes how much memory the processes of some regions have needed. */
    private void weigh(List<Region> some) {
        for (var account : accounts) {
            for (var region : account.regions()) {
                if (some.contains(region)) {
                    account.peakBytes(region)
                            .ifPresent(bytes -> processes.add(new ProcessSize(account.name(), region, bytes)));
                }
            }
        }
    }

    /** Ends all processes. */
    synchronized void close() {
        platforms.forEach(ContentPublishDatabase::close);
        platforms.clear();
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
