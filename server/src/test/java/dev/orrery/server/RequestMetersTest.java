package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.GatewayObserver.Reply;
import dev.orrery.model.Limits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestMetersTest {
    private static final Location ORDERS = new Location("shop", "orders");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Set<Location> existing = new HashSet<>(Set.of(new Location("shop", ""), ORDERS));
    private final RequestMeters meters = new RequestMeters(
            registry, this::locate, location -> location.equals(Location.ACCOUNT) || existing.contains(location));

    /** As the catalog does it, for addresses that are names. */
    private Location locate(Address address) {
        var database = address.id(ResourceKind.DATABASE).orElse("");
        var container =
                new Location(database, address.id(ResourceKind.CONTAINER).orElse(""));
        return List.of(container, new Location(database, "")).stream()
                .filter(existing::contains)
                .findFirst()
                .orElse(Location.ACCOUNT);
    }

    private void answer(String operation, String database, String container, int status, double charge) {
        var address = Address.ACCOUNT.child(ResourceKind.DATABASE, database);
        meters.answered(new Reply(
                operation,
                container.isEmpty() ? address : address.child(ResourceKind.CONTAINER, container),
                status,
                status == 429 ? 3200 : 0,
                status == 429 ? 1 : 0,
                charge,
                TimeUnit.MILLISECONDS.toNanos(3)));
    }

    private List<String> series(String name) {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .toList();
    }

    @Test
    void repliesAreCountedByContainerOperationAndStatus() {
        answer("ReadItem", "shop", "orders", 200, 1);
        answer("ReadItem", "shop", "orders", 200, 1.5);
        answer("ReadItem", "shop", "orders", 404, 1);
        answer("ReadItem", "shop", "orders", 429, 0);
        answer("ReadResource", "shop", "", 200, 1);

        assertThat(series("orrery_requests_seconds_count"))
                .containsExactlyInAnyOrder(
                        count("orders", "ReadItem", 200, 0, "2"),
                        count("orders", "ReadItem", 404, 0, "1"),
                        count("orders", "ReadItem", 429, 3200, "1"),
                        count("", "ReadResource", 200, 0, "1"));
        assertThat(series("orrery_request_units_total"))
                .contains("orrery_request_units_total{container=\"orders\",database=\"shop\","
                        + "operation=\"ReadItem\",status=\"200\",substatus=\"0\"} 2.5");
        assertThat(series("orrery_throttled_total"))
                .containsExactlyInAnyOrder(
                        "orrery_throttled_total{container=\"orders\",database=\"shop\",operation=\"ReadItem\"} 1.0",
                        "orrery_throttled_total{container=\"\",database=\"shop\",operation=\"ReadResource\"} 0.0");
        assertThat(series("orrery_requests_seconds_bucket"))
                .filteredOn(line -> line.contains("status=\"404\""))
                .anyMatch(line -> line.endsWith("le=\"0.002\"} 0"))
                .anyMatch(line -> line.endsWith("le=\"0.005\"} 1"));
    }

    private static String count(String container, String operation, int status, int substatus, String count) {
        return ("orrery_requests_seconds_count{container=\"%s\",database=\"shop\",operation=\"%s\",status=\"%d\","
                        + "substatus=\"%d\"} %s")
                .formatted(container, operation, status, substatus, count);
    }

    @Test
    void whoeverAsksForNamesThatAreNotThereAddsNoSeries() {
        answer("ReadItem", "shop", "none", 404, 1);
        answer("ReadItem", "none", "none", 404, 1);
        var before = series("orrery_requests_seconds_count").size();
        for (int i = 0; i < 1_000; i++) {
            answer("ReadItem", "shop", "none" + i, 404, 1);
            answer("ReadItem", "none" + i, "orders", 404, 1);
        }

        assertThat(series("orrery_requests_seconds_count")).hasSize(before).hasSize(2);
        assertThat(meters.tallies().get("ReadItem").requests()).isEqualTo(2_002);
        assertThat(meters.tally(new Location("shop", "")).requests()).isEqualTo(1_001);
    }

    @Test
    void aDeletedContainerLosesItsSeriesAndASuccessorOfItsNameBeginsAtZero() {
        answer("ReadItem", "shop", "orders", 200, 1);
        existing.remove(ORDERS);
        answer("DeleteResource", "shop", "orders", 204, 5);

        assertThat(registry.scrape()).doesNotContain("container=\"orders\"");
        assertThat(meters.tally(ORDERS).requests()).isZero();

        existing.add(ORDERS);
        answer("ReadItem", "shop", "orders", 200, 1);
        assertThat(series("orrery_requests_seconds_count")).contains(count("orders", "ReadItem", 200, 0, "1"));
        assertThat(meters.tally(ORDERS).requests()).isOne();
    }

    @Test
    void containersWithoutNumberAreCountedTogetherBeyondALimit() {
        int many = Limits.METERED_CONTAINERS_MAX + 100;
        IntStream.range(0, many).forEach(i -> existing.add(new Location("shop", "c" + i)));
        IntStream.range(0, many).forEach(i -> answer("ReadItem", "shop", "c" + i, 200, 1));
        IntStream.range(0, many).forEach(i -> answer("ReadItem", "shop", "c" + i, 200, 1));

        assertThat(meters.tally(new Location("shop", "c0")).requests()).isEqualTo(2);
        assertThat(meters.tally(Location.ACCOUNT).requests()).isEqualTo(200);
    }

    @Test
    void anOperationIsAddedUpOverStatusesAndContainers() {
        answer("ReadItem", "shop", "orders", 200, 1);
        answer("ReadItem", "shop", "orders", 429, 0);
        answer("ReadItem", "shop", "none", 404, 1.25);

        var tally = meters.tallies().get("ReadItem");
        assertThat(tally.requests()).isEqualTo(3);
        assertThat(tally.requestUnits()).isEqualTo(2.25);
        assertThat(tally.throttled()).isOne();
        assertThat(tally.millis(0.5)).isCloseTo(3, within(0.4));
    }
}
