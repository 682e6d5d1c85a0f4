package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.resource.Census.Figures;
import dev.orrery.model.definition.Throughput;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What containers hold, and which of them a request is about. */
class CensusTest {
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    private static final Location C = new Location("d", "c");

    @Test
    void itemsAreCountedOverAllRanges() {
        try (var database = TestDatabase.withContainer(DEFINITION, 12_000)) {
            for (int i = 0; i < 20; i++) {
                database.createItem("p" + i, "{\"id\":\"1\",\"pk\":\"p" + i + "\"}");
            }
            assertThat(database.census()).singleElement().satisfies(figures -> {
                assertThat(figures.location()).isEqualTo(C);
                assertThat(figures.items()).isEqualTo(20);
                assertThat(figures.itemBytes()).isBetween(20L * 100, 20L * 400);
                assertThat(figures.ranges()).isEqualTo(2);
                assertThat(figures.throughput()).contains(new Throughput.Manual(12_000));
                assertThat(figures.shared()).isFalse();
            });
        }
    }

    @Test
    void aWriteTellsWhatItsRangeHoldsAfterIt() {
        try (var database = TestDatabase.withContainer()) {
            assertThat(usage(database.createItem("p", "{\"id\":\"1\",\"pk\":\"p\"}"))
                            .items())
                    .isEqualTo(1);
            var two = usage(database.upsertItem("q", "{\"id\":\"2\",\"pk\":\"q\"}"));
            assertThat(two.items()).isEqualTo(2);
            assertThat(two.itemBytes()).isEqualTo(database.census().getFirst().itemBytes());
            assertThat(usage(database.deleteItem("p", "1")).items()).isEqualTo(1);
            assertThat(database.readItem("q", "2").facts().usage()).isEmpty();
        }
    }

    private static Usage usage(Outcome outcome) {
        return outcome.facts().usage().orElseThrow();
    }

    @Test
    void containersWithoutThroughputOfTheirOwnHaveThatOfTheirDatabase() {
        try (var database = TestDatabase.withContainer()) {
            database.create(
                    ResourceKind.DATABASE,
                    Address.ACCOUNT,
                    "{\"id\":\"a\"}",
                    Optional.of(new Throughput.Manual(1_000)));
            var shared = Address.ACCOUNT.child(ResourceKind.DATABASE, "a");
            database.create(ResourceKind.CONTAINER, shared, DEFINITION, Optional.empty());

            assertThat(database.census())
                    .extracting(Figures::location, Figures::throughput, Figures::shared)
                    .containsExactly(
                            tuple(new Location("a", "c"), Optional.of(new Throughput.Manual(1_000)), true),
                            tuple(C, Optional.of(new Throughput.Manual(400)), false));
        }
    }

    @Test
    void aRequestIsLocatedByNameOrRidAndOnlyAsFarAsThereIsSomething() {
        try (var database = TestDatabase.withContainer()) {
            var container = TestDatabase.json(
                    database.execute(new Operation.ReadResource(TestDatabase.CONTAINER, Precondition.NONE, false, 0)));
            var parts = TestDatabase.text(container, "_self").split("/", -1);
            var byRid = Address.ACCOUNT.child(ResourceKind.DATABASE, parts[1]).child(ResourceKind.CONTAINER, parts[3]);

            assertThat(database.locate(TestDatabase.CONTAINER)).isEqualTo(C);
            assertThat(database.locate(byRid)).isEqualTo(C);
            assertThat(database.locate(byRid.child(ResourceKind.TRIGGER, "t"))).isEqualTo(C);
            var inDatabase = new Location("d", "");
            assertThat(database.locate(TestDatabase.DATABASE)).isEqualTo(inDatabase);
            assertThat(database.locate(TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "none")))
                    .isEqualTo(inDatabase);
            assertThat(database.locate(TestDatabase.DATABASE.child(ResourceKind.USER, "u")))
                    .isEqualTo(inDatabase);
            assertThat(database.locate(Address.ACCOUNT)).isEqualTo(Location.ACCOUNT);
            assertThat(database.locate(
                            Address.ACCOUNT.child(ResourceKind.DATABASE, "none").child(ResourceKind.CONTAINER, "c")))
                    .isEqualTo(Location.ACCOUNT);

            assertThat(database.has(C)).isTrue();
            database.execute(new Operation.DeleteResource(TestDatabase.CONTAINER, Precondition.NONE));
            assertThat(database.has(C)).isFalse();
            assertThat(database.has(inDatabase)).isTrue();
            assertThat(database.locate(TestDatabase.CONTAINER)).isEqualTo(inDatabase);
            assertThat(database.census()).isEmpty();
        }
    }
}
