package dev.orrery.model.definition;

import static dev.orrery.model.definition.DefinitionTexts.container;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexingPolicyTest {
    private static final Step EACH = new Step.AnyPosition();

    @Test
    void byDefaultEverythingIsIndexedButTheEntityTag() {
        var policy = IndexingPolicy.DEFAULT;

        assertThat(policy.isIndexed(JsonPath.parse("/a/b/c"))).isTrue();
        assertThat(policy.isIndexed(at("tags", EACH, "name"))).isTrue();
        assertThat(policy.isIndexed(JsonPath.parse("/id"))).isTrue();
        assertThat(policy.isIndexed(JsonPath.parse("/_etag"))).isFalse();
    }

    /** The example of the documentation: headquarters, locations and exports of a company. */
    @ParameterizedTest
    @CsvSource({
        "/headquarters/employees/?, headquarters.employees, true",
        "/headquarters/employees/?, headquarters.employees.x, false",
        "/headquarters/employees/?, headquarters.country, false",
        "/headquarters/*, headquarters.country, true",
        "/headquarters/*, headquarters.employees, true",
        "/headquarters/*, headquarters, true",
        "/locations/[]/country/?, locations.[].country, true",
        "/locations/[]/country/?, locations.[0].country, true",
        "/locations/[]/country/?, locations.[].city, false",
        "/locations/[]/country/?, exports.[].country, false",
        "/locations/[1]/country/?, locations.[1].country, true",
        "/locations/[1]/country/?, locations.[0].country, false",
        "/tags/[]/?, tags.[3], true",
        "/tags/?, tags.[3], false"
    })
    void anIncludedPathCoversWhatItNames(String path, String place, boolean indexed) {
        assertThat(policy(List.of(path), List.of("/*")).isIndexed(place(place))).isEqualTo(indexed);
        assertThat(policy(List.of("/*"), List.of(path)).isIndexed(place(place))).isEqualTo(!indexed);
    }

    @ParameterizedTest
    @CsvSource({
        // The deeper path decides.
        "/food/ingredients/nutrition/*, /food/ingredients/*, food.ingredients.nutrition.salt, true",
        "/food/ingredients/nutrition/*, /food/ingredients/*, food.ingredients.nutrition, true",
        "/food/ingredients/nutrition/*, /food/ingredients/*, food.ingredients.name, false",
        "/food/ingredients/nutrition/*, /food/ingredients/*, food.ingredients, false",
        "/food/ingredients/nutrition/*, /food/ingredients/*, food.name, true",
        "/a/b/?, /a/*, a.b, true",
        // A value is more precise than all below.
        "/a/?, /a/*, a, true",
        "/a/?, /a/*, a.b, false",
        "/a/*, /a/?, a, false",
        "/a/*, /a/?, a.b, true",
        // One element is more precise than all of them.
        "/a/[2]/?, /a/[]/?, a.[2], true",
        "/a/[2]/?, /a/[]/?, a.[1], false"
    })
    void theMorePreciseOfTwoPathsDecides(String included, String excluded, String place, boolean indexed) {
        assertThat(policy(List.of("/*", included), List.of(excluded)).isIndexed(place(place)))
                .isEqualTo(indexed);
    }

    @Test
    void idAndTimestampAreIndexedWhateverThePathsSay() {
        var nothing = policy(List.of(), List.of("/*"));

        assertThat(nothing.isIndexed(JsonPath.parse("/id"))).isTrue();
        assertThat(nothing.isIndexed(JsonPath.parse("/_ts"))).isTrue();
        assertThat(nothing.isIndexed(JsonPath.parse("/pk"))).isFalse();
    }

    @Test
    void withoutAnIndexNothingIsIndexed() {
        var policy = ContainerDefinition.parse(container("{\"indexingPolicy\":{\"indexingMode\":\"None\"}}"))
                .indexingPolicy();

        assertThat(policy.isIndexed(JsonPath.parse("/id"))).isFalse();
        assertThat(policy.automatic()).isFalse();
    }

    @Test
    void theEntityTagIsIndexedIfTheClientSaysSo() {
        assertThat(policy(List.of("/*", "/_etag/?"), List.of()).isIndexed(JsonPath.parse("/_etag")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"includedPaths\":[],\"excludedPaths\":[]}",
                "{\"includedPaths\":[{\"path\":\"/*\"}]}",
                "{\"excludedPaths\":[]}",
                "{\"excludedPaths\":[{\"path\":\"/\\\"_etag\\\"/?\"}]}",
                "{\"indexingMode\":\"Consistent\",\"automatic\":true}"
            })
    void aPolicyThatSaysLittleIsTheDefault(String policy) {
        var parsed = ContainerDefinition.parse(container("{\"indexingPolicy\":" + policy + "}"));

        assertThat(parsed.indexingPolicy()).isEqualTo(IndexingPolicy.DEFAULT);
    }

    @Test
    void quotedNamesMayHoldAnything() {
        var path = IndexPath.parse("path", "/\"first name\"/'it\\'s'/\"a/b?*[]\"/\"\\\\\"/?");

        assertThat(path.steps())
                .containsExactly(
                        new Step.Property("first name"),
                        new Step.Property("it's"),
                        new Step.Property("a/b?*[]"),
                        new Step.Property("\\"));
        assertThat(path.ending()).isEqualTo(Ending.SCALAR);
    }

    /** Those that the documentation calls valid. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/events/[]/{name/first, name/last}/?",
                "/events/[]/{name/first, category}/?",
                "/events/[]/{name/first, category/subcategory}/?",
                "/events/[]/{name/[1]/first, category}/?",
                "/events/[]/{[1], [3]}/?",
                "/city/[1]/events/[]/{name, category}/?"
            })
    void tuplesAreReadButCoverNoSingleValue(String text) {
        var path = IndexPath.parse("path", text);

        assertThat(path.isTuple()).isTrue();
        assertThat(((Step.Tuple) path.steps().getLast()).fields()).hasSize(2);
        assertThat(policy(List.of(text), List.of("/*")).isIndexed(place("events.[].name")))
                .isFalse();
    }

    private static IndexingPolicy policy(List<String> included, List<String> excluded) {
        return ContainerDefinition.parse(container("{\"indexingPolicy\":{\"includedPaths\":" + paths(included)
                        + ",\"excludedPaths\":" + paths(excluded) + "}}"))
                .indexingPolicy();
    }

    private static String paths(List<String> paths) {
        return paths.stream().map(path -> "{\"path\":\"" + path + "\"}").collect(Collectors.joining(",", "[", "]"));
    }

    /** {@code locations.[0].country} as a place. */
    private static List<Step> place(String text) {
        return Arrays.stream(text.split("\\.")).map(IndexingPolicyTest::step).toList();
    }

    private static List<Step> at(Object... steps) {
        return Arrays.stream(steps)
                .map(step -> step instanceof String name ? new Step.Property(name) : (Step) step)
                .toList();
    }

    private static Step step(String text) {
        if (text.equals("[]")) {
            return EACH;
        }
        return text.startsWith("[")
                ? new Step.Position(Integer.parseInt(text.substring(1, text.length() - 1)))
                : new Step.Property(text);
    }
}
