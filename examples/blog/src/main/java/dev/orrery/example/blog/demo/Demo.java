package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.BlogClient;
import dev.orrery.example.blog.BlogPlatform;
import dev.orrery.example.blog.BlogSchema;
import dev.orrery.example.blog.Consumers;
import dev.orrery.example.blog.Consumers.Settings;
import dev.orrery.example.blog.Consumers.Start;
import dev.orrery.example.blog.Consumers.Takeover;
import dev.orrery.example.blog.User;
import dev.orrery.example.blog.Version;
import dev.orrery.example.blog.demo.Result.Amount;
import dev.orrery.example.blog.demo.Result.Renaming;
import dev.orrery.example.blog.demo.Result.ViewsMade;
import dev.orrery.example.common.Databases;
import dev.orrery.example.common.DemoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** One run, from empty databases to the figures. */
final class Demo {
    private static final Duration POLL_DELAY = Duration.ofMillis(250);
    private static final Duration STALL_MAX = Duration.ofMinutes(2);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final int SAMPLES = 25;

    /**
     * What to do.
     *
     * @param calls how many calls of each request are measured
     * @param database what the names of the databases begin with
     */
    record Plan(int users, int calls, long seed, int postsUnits, List<Version> versions, Views views, String database) {
        Plan {
            versions = List.copyOf(versions);
        }
    }

    private final BlogClient client;
    private final Databases databases;
    private final LongSupplier backlogBytes;
    private final Plan plan;
    private final StandIn data;
    private final Calls calls;
    private final Map<Version, BlogPlatform> platforms = new EnumMap<>(Version.class);
    private final List<Renaming> renamings = new ArrayList<>();

    /**
     * @param databases makes those that it needs
     * @param backlogBytes what the server has still to put in order
     */
    Demo(BlogClient client, Databases databases, LongSupplier backlogBytes, Plan plan) {
        this.client = client;
        this.databases = databases;
        this.backlogBytes = backlogBytes;
        this.plan = plan;
        data = new StandIn(plan.seed(), plan.users());
        calls = new Calls(data);
    }

    Result run() {
        plan.versions().forEach(this::create);
        var load = load();
        var views = plan.versions().contains(Version.V3) ? fillViews() : new ViewsMade(plan.views(), new Amount(0, 1));
        Settling.await(backlogBytes);
        var agreement = new Agreement(platforms, data, calls);
        boolean comparable = plan.versions().size() > 1;
        if (comparable) {
            System.err.println("compare the answers of all versions");
            agreement.checkLoaded(SAMPLES);
        }
        var measuring = new Measuring(calls, plan.calls());
        var rows = new ArrayList<Row>();
        for (var version : plan.versions()) {
            rows.addAll(measure(measuring, version));
        }
        if (comparable) {
            System.err.println("compare the answers once more, with what was written meanwhile");
            agreement.checkWritten(measuring.callsMax(), SAMPLES);
        }
        return new Result(
                plan.users(),
                plan.calls(),
                plan.postsUnits(),
                load,
                views,
                renamings,
                calls.listed(),
                agreement.compared(),
                rows);
    }

    private void create(Version version) {
        var database = databases.create(name(version));
        BlogSchema.create(database, version, plan.postsUnits());
        platforms.put(version, version.open(database));
    }

    private Amount load() {
        long items = (plan.users() + data.itemsOfPosts()) * plan.versions().size();
        try (var progress = new Progress("load", items)) {
            for (var version : plan.versions()) {
                var loader = loader(version, progress);
                loader.loadUsers();
                loader.loadPosts();
            }
            return new Amount(items, progress.seconds());
        }
    }

    private ViewsMade fillViews() {
        return switch (plan.views()) {
            case REPLAY -> replayChanges();
            case BULK -> loadViews();
        };
    }

    private ViewsMade replayChanges() {
        long changes = data.itemsOfPosts();
        try (var progress = new Progress("replay changes into views", changes);
                var consumers = consume(Version.V3, Start.BEGINNING)) {
            awaitCopied(consumers, changes, progress);
            var amount = new Amount(changes, progress.seconds());
            consumers.awaitDrained();
            return new ViewsMade(Views.REPLAY, amount);
        }
    }

    private static void awaitCopied(Consumers consumers, long changes, Progress progress) {
        long copied = 0;
        long movedAt = System.nanoTime();
        while (copied < changes) {
            pause(LOOK_AGAIN);
            long now = consumers.copied();
            if (now != copied) {
                copied = now;
                movedAt = System.nanoTime();
            } else if (System.nanoTime() - movedAt > STALL_MAX.toNanos()) {
                throw new DemoException("The consumers of the change feed do not go on.");
            }
            progress.stepTo(Math.min(copied, changes));
        }
    }

    private ViewsMade loadViews() {
        long posts = data.posts();
        try (var progress = new Progress("load views", posts)) {
            loader(Version.V3, progress).loadViews();
            return new ViewsMade(Views.BULK, new Amount(posts, progress.seconds()));
        }
    }

    private List<Row> measure(Measuring measuring, Version version) {
        var blog = platforms.get(version);
        try (var consumers = consume(version, Start.NOW)) {
            var rows = measuring.measure(version, blog, consumers::awaitDrained);
            consumers.awaitDrained();
            rename(version, blog, consumers);
            return rows;
        }
    }

    /** Gives somebody a new name, and waits for it to be everywhere. */
    private void rename(Version version, BlogPlatform blog, Consumers consumers) {
        // Somebody whose posts the comparison looks at.
        var user = data.user(calls.user(Request.C2, 0));
        long before = consumers.renamed();
        long start = System.nanoTime();
        blog.saveUser(User.of(user.id(), "the." + user.username()));
        consumers.awaitDrained();
        if (version != Version.V1) {
            renamings.add(new Renaming(version, consumers.renamed() - before, (System.nanoTime() - start) / 1e9));
        }
    }

    private Consumers consume(Version version, Start views) {
        var settings = new Settings("demo", Takeover.LATE, Start.NOW, views, POLL_DELAY);
        var consumers = Consumers.start(client, name(version), version, settings);
        consumers.awaitReady();
        return consumers;
    }

    private Loader loader(Version version, Progress progress) {
        return new Loader(data, client.streamed(name(version)), version, progress);
    }

    private String name(Version version) {
        return plan.database() + "-" + version.name().toLowerCase(Locale.ROOT);
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it waited for the server", interrupted);
        }
    }
}
