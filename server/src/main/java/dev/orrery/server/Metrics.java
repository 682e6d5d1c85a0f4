package dev.orrery.server;

import dev.orrery.engine.view.Views;
import dev.orrery.gateway.GatewayObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Counts and times every reply, for Prometheus. */
final class Metrics implements GatewayObserver, AutoCloseable {
    private record Kind(String operation, int status, int substatus) {}

    private record Meters(Timer time, Counter requestUnits) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentHashMap<Kind, Meters> meters = new ConcurrentHashMap<>();
    private final JvmGcMetrics collections = new JvmGcMetrics();

    private final Supplier<List<Views.Lag>> viewLags;
    private final MultiGauge viewChanges = MultiGauge.builder("orrery.view.lag.changes")
            .description("Changes of the source that a view does not have yet")
            .register(registry);
    private final MultiGauge viewSeconds = MultiGauge.builder("orrery.view.lag.seconds")
            .description("Age of the first change of the source that a view does not have yet")
            .register(registry);

    Metrics(IntSupplier connections, Supplier<List<Views.Lag>> viewLags) {
        this.viewLags = viewLags;
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        collections.bindTo(registry);
        Gauge.builder("orrery.connections", connections::getAsInt)
                .description("Open connections of clients")
                .register(registry);
    }

    @Override
    public void answered(String operation, int status, int substatus, double requestCharge, long nanos) {
        var kind = meters.computeIfAbsent(new Kind(operation, status, substatus), this::register);
        kind.time().record(nanos, TimeUnit.NANOSECONDS);
        kind.requestUnits().increment(requestCharge);
    }

    private Meters register(Kind kind) {
        String[] tags = {
            "operation", kind.operation(),
            "status", Integer.toString(kind.status()),
            "substatus", Integer.toString(kind.substatus())
        };
        return new Meters(
                Timer.builder("orrery.requests")
                        .description("Time from a whole request to its reply")
                        .tags(tags)
                        .register(registry),
                Counter.builder("orrery.request.units")
                        .description("Request units charged")
                        .tags(tags)
                        .register(registry));
    }

    String text() {
        var lags = viewLags.get();
        viewChanges.register(rows(lags, Views.Lag::changes), true);
        viewSeconds.register(rows(lags, Views.Lag::seconds), true);
        return registry.scrape();
    }

    private static List<MultiGauge.Row<?>> rows(List<Views.Lag> lags, ToLongFunction<Views.Lag> figure) {
        return lags.stream()
                .<MultiGauge.Row<?>>map(lag ->
                        MultiGauge.Row.of(Tags.of("view", lag.view(), "source", lag.source()), figure.applyAsLong(lag)))
                .toList();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
