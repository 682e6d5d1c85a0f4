package dev.orrery.server;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.model.Limits;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.function.Builtins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/compatibility.md claims about the sources is what they say. */
class CompatibilityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final String PAGE = read(ROOT.resolve("docs/compatibility.md"));

    @Test
    void everyOperationIsOnThePageAndNoOther() {
        var there = Arrays.stream(Operation.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();
        assertThat(inBackticks(section("Operations"), "[A-Z]\\w+")).isEqualTo(new TreeSet<>(there));
    }

    @Test
    void everyFunctionIsOnThePageAndNoOther() {
        var builtins = Builtins.all().stream()
                .map(builtin -> builtin.names().getFirst())
                .filter(name -> !name.startsWith("_"));
        var aggregates = Arrays.stream(Aggregate.values()).map(Aggregate::name);
        var there = Stream.of(builtins, aggregates, Stream.of("FULLTEXTSCORE", "RRF"))
                .flatMap(names -> names)
                .collect(toCollection(TreeSet::new));
        var table = section("Query language");
        assertThat(inBackticks(table.substring(table.indexOf("| kind |")), "[A-Z][A-Z0-9_]+"))
                .isEqualTo(there);
    }

    @Test
    void everyLimitHasTheValueThatThePageSays() throws ReflectiveOperationException {
        var limits = Pattern.compile("`([A-Z_]+)` = ([0-9,]+[0-9])")
                .matcher(section("Limits"))
                .results()
                .toList();
        assertThat(limits).hasSizeGreaterThan(20);
        for (var limit : limits) {
            var value = ((Number) Limits.class.getField(limit.group(1)).get(null)).longValue();
            assertThat(value)
                    .as(limit.group(1))
                    .isEqualTo(Long.parseLong(limit.group(2).replace(",", "")));
        }
    }

    @Test
    void everyHeaderIsKnownToTheSources() {
        var sources = javaFiles(ROOT.resolve("gateway/src/main/java"))
                .map(CompatibilityPageTest::read)
                .collect(joining());
        var known = Pattern.compile("\"([A-Za-z0-9-]+)\"")
                .matcher(sources)
                .results()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .collect(toCollection(TreeSet::new));
        assertThat(inBackticks(section("Headers"), "[a-z][a-z0-9]*(?:-[a-z0-9]+)+"))
                .hasSizeGreaterThan(30)
                .isSubsetOf(known);
    }

    @Test
    void theClientsAreThoseOfTheTests() {
        assertThat(section("Clients and frameworks"))
                .contains("| Java SDK | " + found(read(ROOT.resolve("pom.xml")), "<azure-cosmos.version>(.+?)<"))
                .contains("| JavaScript SDK | "
                        + found(
                                read(ROOT.resolve("conformance/src/test/js/package.json")),
                                "\"@azure/cosmos\": \"(.+?)\""))
                .contains(
                        "| ScalarDB | " + found(read(ROOT.resolve("conformance/pom.xml")), "<scalardb.version>(.+?)<"))
                .contains(
                        "| Testcontainers | " + found(read(ROOT.resolve("pom.xml")), "<testcontainers.version>(.+?)<"));
    }

    @Test
    void everyLinkLeadsSomewhere() {
        var links = Pattern.compile("\\]\\(([^)#]+)")
                .matcher(PAGE)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(links)
                .isNotEmpty()
                .allSatisfy(
                        link -> assertThat(ROOT.resolve("docs").resolve(link)).exists());
    }

    private static String section(String title) {
        var start = PAGE.indexOf("\n## " + title + "\n");
        assertThat(start).as(title).isPositive();
        var end = PAGE.indexOf("\n## ", start + 1);
        return PAGE.substring(start, end < 0 ? PAGE.length() : end);
    }

    private static Set<String> inBackticks(String text, String pattern) {
        return Pattern.compile("`(" + pattern + ")`")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(toCollection(TreeSet::new));
    }

    private static String found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
