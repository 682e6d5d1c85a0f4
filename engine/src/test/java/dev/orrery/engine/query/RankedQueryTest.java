package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a query over several ranges does that is more than the sum of its ranges. */
class RankedQueryTest {
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    private static final Scope PARTITION_A =
            new Scope(Optional.empty(), Optional.of(TestDatabase.key("a")), Optional.empty());

    private final TestDatabase database = TestDatabase.withContainer(DEFINITION, 30_000);

    @BeforeEach
    void fill() {
        // In its partition "rare" is as frequent as "common", in the container it is not.
        create("a", "1", "common bicycle");
        create("a", "2", "rare bicycle");
        for (var number = 3; number < 20; number++) {
            create("p" + number, "" + number, "common lamp");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void create(String partition, String id, String text) {
        database.createItem(
                partition, "{\"id\":\"" + id + "\",\"pk\":\"" + partition + "\",\"text\":\"" + text + "\",\"n\":1}");
    }

    @Test
    void aWordIsAsRareAsItIsInTheWholeContainer() {
        var ranked = " VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'common', 'rare')";
        assertThat(query("SELECT TOP 2" + ranked, PARTITION_A)).isEqualTo(strings("2", "1"));
        assertThat(query("SELECT TOP 1" + ranked, Scope.ALL)).isEqualTo(strings("2"));
    }

    @Test
    void whatIsComposedOfAggregatesNeedsOneRange() {
        var text = "SELECT VALUE {\"sum\": SUM(c.n)} FROM c";
        assertThatThrownBy(() -> query(text, Scope.ALL))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("Compositions of aggregates");
        assertThat(query(text, PARTITION_A)).containsExactly(JsonReader.parse("{\"sum\":2}"));
        assertThat(query(text + " WHERE c.pk = 'a'", Scope.ALL)).containsExactly(JsonReader.parse("{\"sum\":2}"));
        assertThat(query("SELECT VALUE SUM(c.n) FROM c", Scope.ALL)).containsExactly(new JsonValue.Num(19));
    }

    private List<JsonValue> query(String text, Scope scope) {
        return database.query(TestDatabase.queryText(text, Map.of()), scope, 100, _ -> {});
    }

    private static List<JsonValue> strings(String... texts) {
        return JsonValue.strings(List.of(texts)).items();
    }
}
