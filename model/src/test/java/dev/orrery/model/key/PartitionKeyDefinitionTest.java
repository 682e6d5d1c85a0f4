package dev.orrery.model.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionKeyDefinitionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"paths\":[\"/pk\"]}|{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":1}",
                "{\"kind\":\"Hash\",\"paths\":[\"/a/b\"],\"version\":1}|{\"paths\":[\"/a/b\"],\"kind\":\"Hash\",\"version\":1}",
                "{\"kind\":\"hash\",\"paths\":[\"/\\\"a b\\\"/c\"],\"version\":\"V1\"}|{\"paths\":[\"/\\\"a"
                        + " b\\\"/c\"],\"kind\":\"Hash\",\"version\":1}",
                "{\"kind\":\"MultiHash\",\"paths\":[\"/t\",\"/u\",\"/s\"],\"version\":\"V2\"}|{\"paths\":[\"/t\",\"/u\",\"/s\"],\"kind\":\"MultiHash\",\"version\":2}",
                "{\"kind\":\"MultiHash\",\"paths\":[\"/t\"],\"version\":2}|{\"paths\":[\"/t\"],\"kind\":\"MultiHash\",\"version\":2}",
                "{\"kind\":\"Hash\",\"paths\":[\"/a\",\"/b\"],\"version\":1}|{\"paths\":[\"/a\",\"/b\"],\"kind\":\"Hash\",\"version\":1}",
                "{\"kind\":\"Range\",\"paths\":[\"/a\"],\"version\":null}|{\"paths\":[\"/a\"],\"kind\":\"Range\",\"version\":1}",
                "{\"paths\":[\"/_partitionKey\"],\"systemKey\":true}|{\"paths\":[\"/_partitionKey\"],\"kind\":\"Hash\",\"version\":1,\"systemKey\":true}"
            })
    void readsWhatClientsSendAndAlwaysSaysKindAndVersion(String sent, String answered) {
        var definition = PartitionKeyDefinition.parse(JsonReader.parse(sent));

        assertThat(JsonWriter.text(definition.asValue())).isEqualTo(answered);
        assertThat(PartitionKeyDefinition.parse(definition.asValue())).isEqualTo(definition);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "{}",
                "{\"paths\":[]}",
                "{\"paths\":\"/a\"}",
                "{\"paths\":[1]}",
                "{\"paths\":[\"a\"]}",
                "{\"paths\":[\"/a\"],\"kind\":\"Mash\"}",
                "{\"paths\":[\"/a\"],\"kind\":1}",
                "{\"paths\":[\"/a\"],\"version\":3}",
                "{\"paths\":[\"/a\"],\"version\":1.5}",
                "{\"paths\":[\"/a\"],\"version\":\"2\"}",
                "{\"paths\":[\"/a\"],\"kind\":\"MultiHash\",\"version\":1}",
                "{\"paths\":[\"/a\",\"/b\",\"/c\",\"/d\"],\"kind\":\"MultiHash\"}",
                "{\"paths\":[\"/a\",\"/b\"],\"version\":2}",
                "{\"paths\":[\"/a\",\"/'a'\"],\"kind\":\"MultiHash\"}"
            })
    void refusesDefinitionsThatMakeNoSense(String sent) {
        assertThatThrownBy(() -> PartitionKeyDefinition.parse(JsonReader.parse(sent)))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":{\"b\":\"x\"},\"c\":1.0}|[\"x\",1]",
                "{\"a\":{\"b\":null},\"c\":true}|[null,true]",
                "{\"a\":{\"b\":[1]},\"c\":{}}|[{},{}]",
                "{\"a\":\"no object\"}|[{},{}]",
                "{\"a\":{\"b\":1},\"a\":{\"b\":-0},\"c\":\"\"}|[-0,\"\"]",
                "{}|[{},{}]"
            })
    void takesTheKeyFromTheItem(String item, String key) {
        var definition = definition("{\"kind\":\"MultiHash\",\"paths\":[\"/a/b\",\"/c\"]}");

        assertThat(definition.extract((Obj) JsonReader.parse(item))).isEqualTo(PartitionKey.parse(key));
        assertThat(definition.extract(stored(item))).isEqualTo(PartitionKey.parse(key));
    }

    @Test
    void anItemMayDoWithoutAKeyWhereThereWasNoneOnce() {
        var definition = definition("{\"paths\":[\"/_partitionKey\"],\"systemKey\":true}");

        assertThat(definition.extract(Obj.EMPTY)).isEqualTo(PartitionKey.EMPTY);
        definition.requireComplete(PartitionKey.EMPTY);
        assertThat(definition("{\"paths\":[\"/pk\"]}").extract(Obj.EMPTY)).isEqualTo(PartitionKey.NONE);
    }

    @Test
    void aPointNeedsAllComponentsAndAGroupTheFirstOnes() {
        var definition = definition("{\"kind\":\"MultiHash\",\"paths\":[\"/t\",\"/u\"]}");
        definition.requireComplete(PartitionKey.parse("[1,2]"));
        definition.requirePrefix(PartitionKey.parse("[1,2]"));
        definition.requirePrefix(PartitionKey.parse("[1]"));

        assertMismatch(() -> definition.requireComplete(PartitionKey.parse("[1]")));
        assertMismatch(() -> definition.requireComplete(PartitionKey.parse("[1,2,3]")));
        assertMismatch(() -> definition.requirePrefix(PartitionKey.parse("[1,2,3]")));
        assertMismatch(() -> definition.requirePrefix(PartitionKey.EMPTY));
        assertMismatch(() -> definition("{\"paths\":[\"/pk\"]}").requireComplete(PartitionKey.EMPTY));
    }

    private static void assertMismatch(Runnable refused) {
        assertThatThrownBy(refused::run)
                .isInstanceOfSatisfying(
                        FailureException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.PartitionKeyMismatch.class));
    }

    private static PartitionKeyDefinition definition(String text) {
        return PartitionKeyDefinition.parse(JsonReader.parse(text));
    }

    private static ItemText stored(String item) {
        return ItemText.assemble(
                JsonScanner.scan(item.getBytes(StandardCharsets.UTF_8)), new SystemProperties("r", "s", "\"e\"", 1));
    }
}
