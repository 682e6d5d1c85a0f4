package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Throughput: manual and autoscale, of a container and of a database, read and replaced. */
class ThroughputIT extends SdkSuite {
    @Test
    void aContainerHasFourHundredUnlessItSaysOtherwise() {
        var throughput = container("/pk").readThroughput();
        assertThat(throughput.getProperties().getManualThroughput()).isEqualTo(400);
        assertThat(throughput.getMinThroughput()).isEqualTo(400);
        assertThat(throughput.isReplacePending()).isFalse();
    }

    @Test
    void manualThroughputIsReadAndReplaced() {
        var container = containerWith(ThroughputProperties.createManualThroughput(1000));
        assertThat(container.readThroughput().getProperties().getManualThroughput())
                .isEqualTo(1000);
        var replaced = container.replaceThroughput(ThroughputProperties.createManualThroughput(600));
        assertThat(replaced.getProperties().getManualThroughput()).isEqualTo(600);
        assertThat(container.readThroughput().getProperties().getManualThroughput())
                .isEqualTo(600);
    }

    @Test
    void autoscaleThroughputIsReadAndReplaced() {
        var container = containerWith(ThroughputProperties.createAutoscaledThroughput(4000));
        assertThat(container.readThroughput().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(4000);
        assertThat(container.readThroughput().getMinThroughput()).isGreaterThanOrEqualTo(1000);
        container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(8000));
        assertThat(container.readThroughput().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(8000);
    }

    @Test
    void aDatabaseSharesItsThroughputWithItsContainers() {
        var name = "shared-" + freshName();
        client.createDatabase(name, ThroughputProperties.createManualThroughput(500));
        var shared = client.getDatabase(name);
        assertThat(shared.readThroughput().getProperties().getManualThroughput())
                .isEqualTo(500);
        shared.replaceThroughput(ThroughputProperties.createManualThroughput(800));
        assertThat(shared.readThroughput().getProperties().getManualThroughput())
                .isEqualTo(800);

        shared.createContainer("sharing", "/pk");
        assertHasNone(() -> shared.getContainer("sharing").readThroughput());
        shared.createContainer("own", "/pk", ThroughputProperties.createManualThroughput(700));
        assertThat(shared.getContainer("own").readThroughput().getProperties().getManualThroughput())
                .isEqualTo(700);
    }

    @Test
    void aDatabaseWithoutThroughputHasNone() {
        assertHasNone(database::readThroughput);
    }

    @Test
    void throughputBelowTheMinimumOrBetweenTheStepsIsRefused() {
        for (var units : new int[] {100, 399, 450}) {
            assertRefused(400, () -> containerWith(ThroughputProperties.createManualThroughput(units)));
        }
        for (var units : new int[] {500, 1500}) {
            assertRefused(400, () -> containerWith(ThroughputProperties.createAutoscaledThroughput(units)));
        }
        var container = containerWith(ThroughputProperties.createManualThroughput(400));
        assertRefused(400, () -> container.replaceThroughput(ThroughputProperties.createManualThroughput(399)));
        assertThat(container.readThroughput().getProperties().getManualThroughput())
                .isEqualTo(400);
    }

    /** Where there is no offer, it is the SDK that refuses. */
    private static void assertHasNone(ThrowingCallable read) {
        assertThat(assertRefused(400, read).getShortMessage()).contains("No offers found");
    }

    private CosmosContainer containerWith(ThroughputProperties throughput) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, throughput);
        return database.getContainer(properties.getId());
    }
}
