package dev.orrery.model.definition;

import static dev.orrery.model.definition.DefinitionTexts.container;
import static dev.orrery.model.definition.DefinitionTexts.object;
import static dev.orrery.model.definition.DefinitionTexts.spelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerDefinitionTest {
    private static final List<String> BODIES = List.of(
            "java-plain",
            "java-hierarchical",
            "java-first-hash-version",
            "java-without-index",
            "java-view",
            "java-everything",
            "java-read-changed-and-sent-back",
            "javascript-plain",
            "javascript-without-partition-key",
            "javascript-hierarchical",
            "javascript-everything",
            "with-words-of-tomorrow");

    static List<String> bodies() {
        return BODIES;
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void whatAClientSendsComesBackInNormalForm(String name) {
        var exchange = DefinitionTexts.read("bodies/" + name + ".json");

        var parsed = ContainerDefinition.parse((Obj) exchange.member("sent"));

        assertThat(spelled(parsed.toJson())).isEqualTo(spelled(exchange.member("returned")));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void theNormalFormIsReadAsTheSameDefinition(String name) {
        var parsed = ContainerDefinition.parse(
                (Obj) DefinitionTexts.read("bodies/" + name + ".json").member("sent"));

        assertThat(ContainerDefinition.parse(parsed.toJson())).isEqualTo(parsed);
    }

    record Refusal(String members, String message) {}

    static List<Refusal> refusals() {
        var lines = DefinitionTexts.table("container-refusals.txt");
        var refusals = new ArrayList<Refusal>();
        for (int i = 0; i < lines.size(); i += 2) {
            assertThat(lines.get(i + 1)).startsWith("> ");
            refusals.add(new Refusal(lines.get(i), lines.get(i + 1).substring(2)));
        }
        return refusals;
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void everyViolationIsRefusedWithAReason(Refusal refusal) {
        var body = container(refusal.members);

        var refused = catchThrowableOfType(FailureException.class, () -> ContainerDefinition.parse(body));

        assertThat(refused).as("refusal of %s", refusal.members).isNotNull();
        assertThat(refused.failure()).isInstanceOf(Failure.BadRequest.class);
        assertThat(refused).hasMessageContaining(refusal.message);
    }

    record Replacement(String current, String replacement, String verdict) {}

    static List<Replacement> replacements() {
        var lines = DefinitionTexts.table("container-replacements.txt");
        var replacements = new ArrayList<Replacement>();
        for (int i = 0; i < lines.size(); i += 3) {
            replacements.add(new Replacement(lines.get(i), lines.get(i + 1), lines.get(i + 2)));
        }
        return replacements;
    }

    @ParameterizedTest
    @MethodSource("replacements")
    void aReplaceChangesOnlyWhatMayChange(Replacement row) {
        var current = ContainerDefinition.parse(container(row.current));
        var body = container(row.replacement);

        switch (row.verdict) {
            case "= same" -> assertThat(current.replaceWith(body)).isEqualTo(current);
            case "= changed" ->
                assertThat(current.replaceWith(body)).isNotEqualTo(current).isEqualTo(ContainerDefinition.parse(body));
            case String refusal -> {
                assertThat(refusal).startsWith("> ");
                assertThatThrownBy(() -> current.replaceWith(body))
                        .isInstanceOf(FailureException.class)
                        .hasMessageContaining(refusal.substring(2));
            }
        }
    }

    @Test
    void aContainerReadByAClientCanBeSentBackUnchanged() {
        for (var name : BODIES) {
            var exchange = DefinitionTexts.read("bodies/" + name + ".json");
            var current = ContainerDefinition.parse((Obj) exchange.member("sent"));
            var seen = current.toJson(new SystemProperties("r", "dbs/d/colls/r/", "\"1\"", 1));

            assertThat(current.replaceWith(seen)).as(name).isEqualTo(current);
        }
    }

    @Test
    void theViewOfAReplacedContainerKeepsTheSourceThatWasFound() {
        var view =
                "{\"materializedViewDefinition\":{\"sourceCollectionId\":\"s\",\"definition\":\"SELECT c.a FROM c\"}}";
        var parsed = ContainerDefinition.parse(container(view));
        var current = parsed.withView(parsed.view().map(found -> found.withSource("s", "AQIDBIAAAAE=")));

        assertThat(current.replaceWith(container(view))).isEqualTo(current);
    }

    @Test
    void theServerAddsItsOwnMembersAndLinksAtTheEnd() {
        var json = ContainerDefinition.parse(container("{}"))
                .toJson(new SystemProperties("AQIDBIAAAAE=", "dbs/AQIDBA==/colls/AQIDBIAAAAE=/", "\"7\"", 1700000000));

        assertThat(spelled(json))
                .endsWith("\"geospatialConfig\":{\"type\":\"Geography\"},\"_rid\":\"AQIDBIAAAAE=\",\"_ts\":1700000000,"
                        + "\"_self\":\"dbs/AQIDBA==/colls/AQIDBIAAAAE=/\",\"_etag\":\"\\\"7\\\"\","
                        + "\"_docs\":\"docs/\",\"_sprocs\":\"sprocs/\",\"_triggers\":\"triggers/\","
                        + "\"_udfs\":\"udfs/\",\"_conflicts\":\"conflicts/\"}");
    }

    @Test
    void whatAClientSaysAboutSystemPropertiesIsNotBelieved() {
        var body = container("{\"_rid\":\"x\",\"_ts\":1,\"_self\":\"y\",\"_etag\":null,\"_docs\":\"z\"}");

        assertThat(ContainerDefinition.parse(body)).isEqualTo(ContainerDefinition.parse(container("{}")));
    }

    @Test
    void aNameMayHave255CharactersAndOddOnesToo() {
        assertThat(ContainerDefinition.parse(container("{\"id\":\"" + "n".repeat(255) + "\"}"))
                        .id())
                .hasSize(255);
        assertThat(ContainerDefinition.parse(container("{\"id\":\"Größe 寸 & co.\"}"))
                        .id())
                .isEqualTo("Größe 寸 & co.");
        assertThatThrownBy(() -> ContainerDefinition.parse(container("{\"id\":\"" + "n".repeat(256) + "\"}")))
                .hasMessageContaining("has 256 characters, but may have 255 at most");
    }

    @Test
    void tooManyIndexPathsAreRefused() {
        assertThatThrownBy(() -> ContainerDefinition.parse(container(
                        policy("includedPaths", Limits.INDEX_INCLUDED_PATHS_MAX + 1, "{\"path\":\"/p%d/?\"}"))))
                .hasMessageContaining("indexingPolicy.includedPaths has 1501 entries, but may have 1500 at most");
        assertThatThrownBy(() -> ContainerDefinition.parse(container(policy(
                        "compositeIndexes",
                        Limits.COMPOSITE_INDEXES_MAX + 1,
                        "[{\"path\":\"/a%d\"},{\"path\":\"/b\"}]"))))
                .hasMessageContaining("indexingPolicy.compositeIndexes has 101 entries");
    }

    private static String policy(String member, int count, String entry) {
        return IntStream.range(0, count)
                .mapToObj(entry::formatted)
                .collect(Collectors.joining(",", "{\"indexingPolicy\":{\"" + member + "\":[", "]}}"));
    }

    @Test
    void tooManyComputedPropertiesAreRefused() {
        var properties = IntStream.rangeClosed(0, Limits.COMPUTED_PROPERTIES_MAX)
                .mapToObj("{\"name\":\"p%d\",\"query\":\"SELECT VALUE 1 FROM c\"}"::formatted)
                .collect(Collectors.joining(",", "{\"computedProperties\":[", "]}"));

        assertThatThrownBy(() -> ContainerDefinition.parse(container(properties)))
                .hasMessageContaining("computedProperties has 21 entries, but may have 20 at most");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "\"V1\"", "\"v2\"", "2.0"})
    void everySpellingOfTheHashVersionIsUnderstood(String version) {
        var key = ContainerDefinition.parse(
                        container("{\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":" + version + "}}"))
                .toJson()
                .member("partitionKey");

        var expected = version.contains("1") ? "1" : "2";
        assertThat(spelled(key)).isEqualTo("{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":" + expected + "}");
    }

    @Test
    void aComputedPropertyIsIndexedOnlyIfAPathNamesIt() {
        var computed = "\"computedProperties\":[{\"name\":\"x\",\"query\":\"SELECT VALUE c.y FROM c\"}]";
        var unnamed = ContainerDefinition.parse(container("{" + computed + "}"));
        var named = ContainerDefinition.parse(container(
                "{" + computed + ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"},{\"path\":\"/x/?\"}]}}"));

        assertThat(unnamed.isIndexed(place("/x"))).isFalse();
        assertThat(unnamed.isIndexed(place("/y"))).isTrue();
        assertThat(named.isIndexed(place("/x"))).isTrue();
        assertThat(named.isIndexed(place("/x/z"))).isFalse();
    }

    private static List<IndexPath.Step> place(String path) {
        return IndexPath.place(JsonPath.parse(path));
    }

    @Test
    void generatedDefinitionsSurviveBeingWrittenAndRead() {
        var generator = new ContainerGenerator(Seed.random());
        Stream.generate(generator::body).limit(2_000).forEach(body -> {
            var parsed = ContainerDefinition.parse(body);
            var written = parsed.toJson();
            assertThat(ContainerDefinition.parse(object(written.toString())))
                    .as(body.toString())
                    .isEqualTo(parsed);
            assertThat(spelled(ContainerDefinition.parse(written).toJson())).isEqualTo(spelled(written));
        });
    }
}
