package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.advice.Finding;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** A database that is used, and asked what it has to say on that. */
abstract class AdviceScene {
    static final String BY_PK = "\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}";
    static final int CALLS = 40;

    final TestDatabase database = TestDatabase.metered(Metering.free());

    @AfterEach
    void close() {
        database.close();
    }

    void create(String definition, int partitions) {
        database.create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}", Optional.empty());
        database.create(
                ResourceKind.CONTAINER,
                TestDatabase.DATABASE,
                definition,
                Optional.of(new Throughput.Manual(partitions * 6_000)));
        assertThat(database.ranges()).hasSize(partitions);
    }

    /** Posts of 20 users, each with 4 comments in its partition. */
    void createBlog() {
        create("{" + BY_PK + "}", 3);
        for (int i = 0; i < 60; i++) {
            database.createItem(
                    "p" + i,
                    "{\"id\":\"p%d\",\"pk\":\"p%d\",\"type\":\"post\",\"user\":\"u%d\",\"date\":%d}"
                            .formatted(i, i, i % 20, 1_000 + i));
            for (int j = 0; j < 4; j++) {
                database.createItem(
                        "p" + i,
                        "{\"id\":\"c%d\",\"pk\":\"p%d\",\"type\":\"comment\",\"user\":\"u%d\",\"date\":%d}"
                                .formatted(j, i, (i + j) % 20, i));
            }
        }
    }

    List<JsonValue> askAll(String text, Map<String, JsonValue> parameters) {
        database.passMillis(200);
        return SdkRoad.rows(database, text, parameters);
    }

    List<JsonValue> askOne(String partition, String text, Map<String, JsonValue> parameters) {
        database.passMillis(200);
        var scope = new Scope(Optional.empty(), Optional.of(TestDatabase.key(partition)), Optional.empty());
        return database.query(TestDatabase.queryText(text, parameters), scope, 100, _ -> {});
    }

    List<Finding> findings(Kind kind) {
        return database.advice().findings().stream()
                .filter(finding -> finding.kind() == kind)
                .toList();
    }

    Finding only(Kind kind) {
        assertThat(findings(kind)).hasSize(1);
        return findings(kind).getFirst();
    }

    /** 300 orders of 60 customers on 50 days, each of two products, in three physical partitions. */
    void createShop() {
        create("{" + BY_PK + "}", 3);
        for (int i = 0; i < 300; i++) {
            database.createItem("o" + i, order(i));
        }
    }

    static String order(int i) {
        return ("{\"id\":\"o%d\",\"pk\":\"o%d\",\"buyer\":{\"id\":\"b%d\"},\"status\":\"%s\","
                        + "\"date\":\"2026-%02d-%02dT%02d:00:00Z\","
                        + "\"lines\":[{\"product\":\"p%d\"},{\"product\":\"p%d\"}]}")
                .formatted(
                        i,
                        i,
                        i % 60,
                        i % 30 == 0 ? "open" : "done",
                        1 + i / 150,
                        1 + i / 6 % 25,
                        i % 24,
                        i % 40,
                        i % 40 + 40);
    }
}
