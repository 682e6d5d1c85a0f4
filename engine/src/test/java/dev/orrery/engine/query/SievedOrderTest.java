package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in the order of one index, most of which another index tells not to be wanted. */
class SievedOrderTest {
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    private static final int ITEMS = 3_000;

    /** One in so many is of the kind that is asked for. */
    private static final int SHARE = 30;

    private static final String LATEST = "SELECT VALUE c.n FROM c WHERE c.kind = 'post' ORDER BY c.date DESC";

    private record Entry(String kind, int date, int number) {
        String json() {
            return "{\"id\":\"i%d\",\"pk\":\"p%d\",\"kind\":\"%s\",\"date\":%d,\"n\":%d}"
                    .formatted(number, number % 50, kind, date, number);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 30_000})
    void onlyWhatIsWantedIsLoaded(int requestUnits) {
        var entries = entries(Seed.random(), _ -> true);
        try (var database = filled(requestUnits, entries)) {
            var metrics = metrics(database, LATEST.replace("SELECT", "SELECT TOP 7"));
            assertThat(metrics.itemsRead())
                    .isLessThanOrEqualTo(7L * database.ranges().size());
            assertThat(database.query(LATEST.replace("SELECT", "SELECT TOP 7"), Scope.ALL, 100))
                    .isEqualTo(latest(entries).subList(0, 7));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 64, 10_000})
    void pagesGoOnWhereTheLastOneEnded(int pageSize) {
        var entries = entries(Seed.random(), _ -> true);
        try (var database = filled(400, entries)) {
            assertThat(database.query(LATEST, Scope.ALL, pageSize)).isEqualTo(latest(entries));
        }
    }

    @Test
    void whatIsWantedAtTheFarEndIsReadAndSorted() {
        var entries = entries(Seed.random(), date -> date < ITEMS / 5);
        try (var database = filled(400, entries)) {
            var query = LATEST.replace("SELECT", "SELECT TOP 7");
            assertThat(metrics(database, query).itemsRead()).isGreaterThan(7).isLessThan(ITEMS / 4);
            assertThat(database.query(query, Scope.ALL, 100))
                    .isEqualTo(latest(entries).subList(0, 7));
        }
    }

    @Test
    void otherConditionsStillDecide() {
        var entries = entries(Seed.random(), _ -> true);
        try (var database = filled(400, entries)) {
            var query = "SELECT TOP 5 VALUE c.n FROM c WHERE c.kind = 'post' AND c.n % 2 = 1 AND c.date < 2000"
                    + " ORDER BY c.date DESC";
            var wanted = entries.stream()
                    .filter(entry -> entry.number() % 2 == 1 && entry.date() < 2_000)
                    .toList();
            assertThat(database.query(query, Scope.ALL, 100))
                    .isEqualTo(latest(wanted).subList(0, 5));
        }
    }

    private static List<Entry> entries(RandomGenerator random, IntPredicate isPostAt) {
        var dates = new ArrayList<>(IntStream.range(0, ITEMS).boxed().toList());
        Collections.shuffle(dates, Random.from(random));
        var entries = new ArrayList<Entry>();
        for (int number = 0; number < ITEMS; number++) {
            int date = dates.get(number);
            boolean post = isPostAt.test(date) && random.nextInt(SHARE) == 0;
            entries.add(new Entry(post ? "post" : "like", date, number));
        }
        return entries;
    }

    private static TestDatabase filled(int requestUnits, List<Entry> entries) {
        var database = TestDatabase.withContainer(DEFINITION, requestUnits);
        entries.forEach(entry -> database.createItem("p" + entry.number() % 50, entry.json()));
        return database;
    }

    private static List<JsonValue> latest(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.kind().equals("post"))
                .sorted(Comparator.comparingInt(Entry::date).reversed())
                .<JsonValue>map(entry -> new Num(entry.number()))
                .toList();
    }

    private static QueryMetrics metrics(TestDatabase database, String query) {
        return database.page(TestDatabase.queryText(query, Map.of()), Scope.ALL, Page.FIRST)
                .facts()
                .queryMetrics()
                .orElseThrow();
    }
}
