package dev.orrery.server;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.hub.ConfirmTimes;
import dev.orrery.engine.hub.Fronts;
import dev.orrery.engine.hub.Hub;
import dev.orrery.engine.resource.Census;
import dev.orrery.engine.view.Views;
import dev.orrery.gateway.GatewayObserver;
import dev.orrery.gateway.link.LinkTraffic;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.region.RegionStatus;
import dev.orrery.region.Surroundings.Writing;
import dev.orrery.store.Store;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What the server tells of itself in figures, for Prometheus and for people. */
final class Metrics implements GatewayObserver, AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final LocalDatabase database;
    private final Store store;
    private final Instant started;
    private final RequestMeters requests;

    private final MultiGauge viewChanges =
            gauge("orrery.view.lag.changes", "Changes of the source that a view does not have yet");
    private final MultiGauge viewSeconds =
            gauge("orrery.view.lag.seconds", "Age of the first change of the source that a view does not have yet");
    private final MultiGauge documents = gauge("orrery.container.documents", "Items in a container");
    private final MultiGauge bytes = gauge("orrery.container.bytes", "Size of the items in a container, as JSON");
    private final MultiGauge partitions = gauge("orrery.container.partitions", "Physical partitions of a container");
    private final MultiGauge throughput = gauge(
            "orrery.throughput.request.units",
            "Request units a second that are set for a container, or for a database to share");

    private final MultiGauge regionChanges =
            gauge("orrery.region.lag.changes", "Changes of the write region that a region does not have yet");
    private final MultiGauge regionSeconds =
            gauge("orrery.region.lag.seconds", "For how long a region has lacked a change of the write region");
    private final MultiGauge regionWrites = gauge("orrery.region.writes", "1 for the region that takes the writes");
    private final MultiGauge regionSilence =
            gauge("orrery.region.silent.seconds", "How long ago a region was heard of last");
    private final MultiGauge regionFaults =
            gauge("orrery.region.link.fault", "1 for a link that 'orrery fault' disturbs");
    private final Supplier<Optional<RegionStatus>> regions;
    private Optional<Writing> writing = Optional.empty();

    Metrics(
            LocalDatabase database,
            Store store,
            Supplier<Optional<RegionStatus>> regions,
            IntSupplier connections,
            MemoryBudget memory,
            Instant started) {
        this.regions = regions;
        this.database = database;
        this.store = store;
        this.started = started;
        this.requests = new RequestMeters(registry, database::locate, database::has);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        collections.bindTo(registry);
        Gauge.builder("orrery.connections", connections::getAsInt)
                .description("Open connections of clients")
                .register(registry);
        Gauge.builder(
                        "orrery.store.stopped",
                        store,
                        some -> some.condition().stopped().isPresent() ? 1 : 0)
                .description("1 while the store takes no writes, else 0")
                .register(registry);
        store.condition()
                .roomBytes()
                .ifPresent(_ -> Gauge.builder(
                                "orrery.disk.room.bytes",
                                store,
                                some -> some.condition().roomBytes().orElse(0))
                        .description("Bytes that are left of the disk with the data")
                        .register(registry));
        Gauge.builder("orrery.request.memory.bytes", memory::bytesTaken)
                .description("Memory that requests have taken of what they share, as it is counted")
                .register(registry);
        Gauge.builder("orrery.request.memory.max.bytes", memory::bytesMax)
                .description("Memory that requests share: beyond it they wait, and then are refused with 429")
                .register(registry);
        if (regions.get().isPresent()) {
            Gauge.builder(
                            "orrery.region.epoch",
                            () -> regions.get().orElseThrow().epoch())
                    .description("How often another region has taken over")
                    .register(registry);
            Gauge.builder(
                            "orrery.region.last.failover.timestamp.seconds",
                            () -> regions.get()
                                    .orElseThrow()
                                    .lastFailover()
                                    .flatMap(RegionStatus.Failover::atSecond)
                                    .orElse(0L))
                    .description(
                            "When another region has taken over last, as far as this one knows; 0 for never, or while"
                                    + " it was away")
                    .register(registry);
            Gauge.builder(
                            "orrery.region.lost.changes",
                            () -> regions.get().orElseThrow().lostChanges())
                    .description("Changes of this region that went to the conflicts feeds")
                    .register(registry);
        }
        Gauge.builder("orrery.store.backlog.bytes", store::backlogBytes)
                .description("Bytes that the store has still to put in order")
                .register(registry);
    }

    /** Counts what travels between this region and the others. */
    void show(LinkTraffic traffic) {
        FunctionCounter.builder("orrery.region.link.sent.bytes", traffic, LinkTraffic::sentBytes)
                .description("Bytes sent to other regions")
                .register(registry);
        FunctionCounter.builder("orrery.region.link.received.bytes", traffic, LinkTraffic::receivedBytes)
                .description("Bytes received from other regions")
                .register(registry);
    }

    /** Counts what this region has written and what it has settled, where several regions write. */
    void show(Writing several) {
        writing = Optional.of(several);
        Gauge.builder("orrery.region.unsettled.writes", several.fronts(), Fronts::pending)
                .description("Writes of this region that are kept until they are settled and known elsewhere")
                .register(registry);
        FunctionTimer.builder(
                        "orrery.region.confirm",
                        several.fronts().times(),
                        ConfirmTimes::writes,
                        ConfirmTimes::nanos,
                        TimeUnit.NANOSECONDS)
                .description(
                        "Time until this region shows what is settled of a write; one at a time of each range is timed")
                .register(registry);
    }

    private void show(Hub hub) {
        hub.rulings().stream()
                .filter(WritingReport::isOutcome)
                .forEach(ruling -> FunctionCounter.builder(
                                "orrery.region.settled.writes", hub, same -> same.count(ruling))
                        .description("Writes of any region that this one has settled as the hub")
                        .tags(
                                "conflict",
                                ruling.conflict().map(WritingReport::word).orElse("none"),
                                "outcome",
                                WritingReport.word(ruling.verdict()))
                        .register(registry)); // The one that is there already, if there is one.
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    @Override
    public void answered(Reply reply) {
        requests.answered(reply);
    }

    /** In the form of Prometheus. */
    synchronized String text() {
        requests.forgetDeleted();
        regions.get().ifPresent(this::show);
        writing.ifPresent(several -> show(several.hub()));
        var lags = database.viewLags();
        show(viewChanges, lags, Metrics::tags, Views.Lag::changes);
        show(viewSeconds, lags, Metrics::tags, Views.Lag::seconds);
        var census = database.census();
        show(documents, census, Metrics::tags, Census.Figures::items);
        show(bytes, census, Metrics::tags, Census.Figures::itemBytes);
        show(partitions, census, Metrics::tags, Census.Figures::ranges);
        show(
                throughput,
                throughputs(census).entrySet(),
                set -> tags(set.getKey()).and("mode", mode(set.getValue())),
                set -> set.getValue().requestUnitsMax());
        return registry.scrape();
    }

    private void show(RegionStatus status) {
        show(
                regionChanges,
                status.regions().stream()
                        .filter(region -> region.lagLsns().isPresent())
                        .toList(),
                Metrics::tags,
                region -> region.lagLsns().orElseThrow());
        show(
                regionSeconds,
                status.regions().stream()
                        .filter(region -> region.lagSeconds().isPresent())
                        .toList(),
                Metrics::tags,
                region -> region.lagSeconds().orElseThrow());
        show(regionWrites, status.regions(), Metrics::tags, region -> region.isWriter() ? 1 : 0);
        show(
                regionSilence,
                status.regions().stream()
                        .filter(region -> region.silentSeconds().isPresent())
                        .toList(),
                Metrics::tags,
                region -> region.silentSeconds().orElseThrow());
        show(
                regionFaults,
                status.regions().stream()
                        .filter(region -> !region.name().equals(status.me()))
                        .toList(),
                Metrics::tags,
                region -> status.faults().containsKey(region.name()) ? 1 : 0);
    }

    private static Tags tags(RegionStatus.Peer region) {
        return Tags.of("region", region.name());
    }

    /** Each once, however many containers share it. */
    private static Map<Location, Throughput> throughputs(List<Census.Figures> census) {
        var set = new LinkedHashMap<Location, Throughput>();
        for (var container : census) {
            var location =
                    container.shared() ? new Location(container.location().database(), "") : container.location();
            container.throughput().ifPresent(own -> set.put(location, own));
        }
        return set;
    }

    static String mode(Throughput throughput) {
        return switch (throughput) {
            case Throughput.Manual _ -> "manual";
            case Throughput.Autoscale _ -> "autoscale";
        };
    }

    /** For people and their programs. */
    StatusReport report() {
        requests.forgetDeleted();
        var containers = database.census().stream()
                .map(figures -> new StatusReport.CountedContainer(figures, requests.tally(figures.location())))
                .toList();
        return new StatusReport(started, store.backlogBytes(), containers, requests.tallies());
    }

    private static <T> void show(
            MultiGauge gauge, Iterable<T> things, Function<T, Tags> tags, ToDoubleFunction<T> figure) {
        var rows = new ArrayList<MultiGauge.Row<?>>();
        things.forEach(thing -> rows.add(MultiGauge.Row.of(tags.apply(thing), figure.applyAsDouble(thing))));
        gauge.register(rows, true);
    }

    private static Tags tags(Views.Lag lag) {
        return Tags.of("view", lag.view(), "source", lag.source());
    }

    private static Tags tags(Census.Figures container) {
        return tags(container.location());
    }

    private static Tags tags(Location location) {
        return Tags.of("database", location.database(), "container", location.container());
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
