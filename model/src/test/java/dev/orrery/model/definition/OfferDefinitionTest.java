package dev.orrery.model.definition;

import static dev.orrery.model.definition.DefinitionTexts.object;
import static dev.orrery.model.definition.DefinitionTexts.spelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.Throughput.Autoscale;
import dev.orrery.model.definition.Throughput.Manual;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferDefinitionTest {
    private static final long GIGABYTE_IN_KILOBYTES = 1024 * 1024;
    private static final String LINK = "dbs/AQIDBA==/colls/AQIDBIAAAAE=/";
    private static final String RID = "AQIDBIAAAAE=";

    @Test
    void aManualOfferIsWrittenAsTheProtocolSays() {
        var json = manual(400).toJson(new SystemProperties("Ab12", "offers/Ab12/", "\"1\"", 1));

        assertThat(spelled(json))
                .isEqualTo("{\"offerVersion\":\"V2\",\"offerType\":\"Invalid\",\"content\":{\"offerThroughput\":400,"
                        + "\"offerIsRUPerMinuteThroughputEnabled\":false,\"offerMinimumThroughputParameters\":"
                        + "{\"maxThroughputEverProvisioned\":400,\"maxConsumedStorageEverInKB\":0}},"
                        + "\"resource\":\"" + LINK + "\",\"offerResourceId\":\"" + RID + "\",\"id\":\"Ab12\","
                        + "\"_rid\":\"Ab12\",\"_ts\":1,\"_self\":\"offers/Ab12/\",\"_etag\":\"\\\"1\\\"\"}");
    }

    @Test
    void anAutoscaleOfferStatesItsMaximumAndWhatIsThereWithoutLoad() {
        var content = (Obj) autoscale(4_000).toJson().member("content");

        assertThat(spelled(content.member("offerAutopilotSettings"))).isEqualTo("{\"maxThroughput\":4000}");
        assertThat(spelled(content.member("offerThroughput"))).isEqualTo("400");
    }

    @Test
    void whatIsWrittenIsReadAsTheSame() {
        var settings = object(
                "{\"maxThroughput\":6000,\"autoUpgradePolicy\":{\"throughputPolicy\":" + "{\"incrementPercent\":10}}}");
        for (var offer : new OfferDefinition[] {
            manual(10_100),
            autoscale(4_000).withStorage(12_345_678_901L),
            OfferDefinition.of(LINK, RID, Autoscale.parse(settings))
        }) {
            assertThat(OfferDefinition.parse(offer.toJson())).isEqualTo(offer);
        }
    }

    @ParameterizedTest
    @CsvSource({"400, 1", "10000, 1", "10100, 2", "20000, 2", "20100, 3", "1000000, 100"})
    void everyStarted10000RequestUnitsHaveAPartition(int requestUnits, int partitions) {
        assertThat(new Manual(requestUnits).physicalPartitions()).isEqualTo(partitions);
    }

    @ParameterizedTest
    @CsvSource({"400, 1", "6000, 1", "6100, 2", "10100, 2", "18000, 3", "30000, 5"})
    void aNewContainerHasAPartitionForEveryStarted6000RequestUnits(int requestUnits, int partitions) {
        assertThat(new Manual(requestUnits).physicalPartitionsAtFirst()).isEqualTo(partitions);
    }

    @Test
    void anAutoscaleMaximumDecidesThePartitions() {
        assertThat(new Autoscale(11_000, Obj.EMPTY).physicalPartitions()).isEqualTo(2);
        assertThat(new Autoscale(13_000, Obj.EMPTY).physicalPartitionsAtFirst()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 300, 399, 401, 450, 1_000_100})
    void manualThroughputOutOfStepIsRefused(int requestUnits) {
        assertThatThrownBy(() -> new Manual(requestUnits))
                .isInstanceOf(FailureException.class)
                .hasMessage("The throughput is " + requestUnits + ", but must be from 400 to 1000000 in steps of 100.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 900, 1_500, 4_100, 1_001_000})
    void autoscaleThroughputOutOfStepIsRefused(int requestUnits) {
        assertThatThrownBy(() -> new Autoscale(requestUnits, Obj.EMPTY))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("must be from 1000 to 1000000 in steps of 1000.");
    }

    /** The first two are the examples of the documentation. */
    @ParameterizedTest
    @CsvSource({
        "50000, 20, 0, 500",
        "50000, 2000, 0, 2000",
        "400, 0, 0, 400",
        "400, 0, 25, 400",
        "400, 0, 30, 900",
        "10100, 450, 0, 500"
    })
    void theLeastManualThroughputFollowsStorageAndHistory(int ever, long gigabytes, int containers, int least) {
        assertThat(manual(ever).withStorage(gigabytes * GIGABYTE_IN_KILOBYTES).requestUnitsLeast(containers))
                .isEqualTo(least);
    }

    @ParameterizedTest
    @CsvSource({"1000, 0, 0, 1000", "20000, 0, 0, 2000", "4000, 150, 0, 2000", "1000, 0, 30, 6000"})
    void theLeastAutoscaleThroughputFollowsStorageAndHistory(int ever, long gigabytes, int containers, int least) {
        assertThat(autoscale(ever)
                        .withStorage(gigabytes * GIGABYTE_IN_KILOBYTES)
                        .requestUnitsLeast(containers))
                .isEqualTo(least);
    }

    @Test
    void javaReplacesAnOfferWithTheContentItWantsToChange() {
        var replaced = manual(400).replaceWith(fromJava("{\"offerThroughput\":1000}"), Migration.NONE, 0);
        assertThat(replaced.throughput()).isEqualTo(new Manual(1_000));
        assertThat(replaced.requestUnitsEver()).isEqualTo(1_000);

        var settings = "{\"maxThroughput\":6000,\"autoUpgradePolicy\":{\"throughputPolicy\":{\"incrementPercent\":0}}}";
        var scaled = autoscale(4_000)
                .replaceWith(fromJava("{\"offerAutopilotSettings\":" + settings + "}"), Migration.NONE, 0);
        assertThat(scaled.throughput()).isEqualTo(Autoscale.parse(object(settings)));
    }

    @Test
    void javaScriptReplacesAnOfferWithAllThatItHasRead() {
        var read = autoscale(4_000).toJson(new SystemProperties("Ab12", "offers/Ab12/", "\"1\"", 1));

        assertThat(autoscale(4_000).replaceWith(read, Migration.NONE, 0)).isEqualTo(autoscale(4_000));
    }

    @Test
    void theHighestThroughputIsRememberedWhenItIsLowered() {
        var raised = manual(400).replaceWith(fromJava("{\"offerThroughput\":100000}"), Migration.NONE, 0);
        var lowered = raised.replaceWith(fromJava("{\"offerThroughput\":1000}"), Migration.NONE, 0);

        assertThat(lowered.requestUnitsEver()).isEqualTo(100_000);
        assertThatThrownBy(() -> lowered.replaceWith(fromJava("{\"offerThroughput\":900}"), Migration.NONE, 0))
                .hasMessageContaining("content.offerThroughput is 900, but must not be less than 1000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|content is required",
                "{\"content\":{}}|content.offerThroughput is required.",
                "{\"content\":{\"offerThroughput\":\"400\"}}|content.offerThroughput must be a number.",
                "{\"content\":{\"offerThroughput\":450}}|must be from 400 to 1000000 in steps of 100.",
                "{\"content\":{\"offerThroughput\":400},\"offerVersion\":\"V1\"}|offerVersion is 'V1', but only V2",
                "{\"content\":{\"offerThroughput\":400},\"offerResourceId\":\"x\"}|offerResourceId cannot be changed",
                "{\"content\":{\"offerThroughput\":400},\"resource\":\"x\"}|resource cannot be changed",
                "{\"content\":{\"offerAutopilotSettings\":{\"maxThroughput\":4000}}}|cannot switch between manual"
            })
    void anythingButAnotherAmountIsRefused(String body, String message) {
        assertThatThrownBy(() -> manual(400).replaceWith(object(body), Migration.NONE, 0))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anAutoscaleOfferDoesNotBecomeManualByItself() {
        assertThatThrownBy(() -> autoscale(4_000).replaceWith(fromJava("{\"offerThroughput\":700}"), Migration.NONE, 0))
                .hasMessageContaining("content.offerThroughput cannot switch between manual and autoscale");
    }

    /** The documentation's examples, apart from the last. */
    @ParameterizedTest
    @CsvSource({"10000, 25, 10000", "50000, 25000, 250000", "400, 0, 1000", "1100, 0, 2000"})
    void aMigrationToAutoscaleChoosesTheMaximum(int manual, long gigabytes, int autoscale) {
        var offer = manual(manual).withStorage(gigabytes * GIGABYTE_IN_KILOBYTES);

        assertThat(offer.replaceWith(Obj.EMPTY, Migration.TO_AUTOSCALE, 0).throughput())
                .isEqualTo(new Autoscale(autoscale, Obj.EMPTY));
    }

    @Test
    void aMigrationToManualKeepsTheMaximum() {
        assertThat(autoscale(20_000)
                        .replaceWith(Obj.EMPTY, Migration.TO_MANUAL, 0)
                        .throughput())
                .isEqualTo(new Manual(20_000));
    }

    private static OfferDefinition manual(int requestUnits) {
        return OfferDefinition.of(LINK, RID, new Manual(requestUnits));
    }

    private static OfferDefinition autoscale(int requestUnitsMax) {
        return OfferDefinition.of(LINK, RID, new Autoscale(requestUnitsMax, Obj.EMPTY));
    }

    /** As azure-cosmos 4.81.0 sends it. */
    private static Obj fromJava(String content) {
        return object("{\"offerVersion\":\"V2\",\"offerType\":\"Invalid\",\"content\":" + content + ",\"resource\":\""
                + LINK + "\",\"offerResourceId\":\"" + RID
                + "\",\"id\":\"Ab12\",\"_rid\":\"Ab12\",\"_self\":\"offers/Ab12/\",\"_etag\":\"\\\"1\\\"\",\"_ts\":1}");
    }
}
