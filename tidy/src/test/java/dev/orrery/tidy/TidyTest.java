package dev.orrery.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.orrery.tidy.SourceTree.SourceFile;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the layers apart and the tree clean by reading every source file. */
final class TidyTest {
    private static final int LINES_MAX = 700;
    private static final int NAMESAKES_MAX = 2;

    private final List<SourceFile> files = SourceTree.read();

    @TestFactory
    Stream<DynamicTest> noFileContains() {
        return Rules.all().stream()
                .map(rule -> dynamicTest(
                        rule.against(),
                        () -> assertNone(files.stream().flatMap(file -> rule.complaints(file).stream()))));
    }

    @TestFactory
    Stream<DynamicTest> itsExampleIsCaughtBy() {
        return Rules.all().stream()
                .map(rule -> dynamicTest(
                        rule.against(),
                        () -> assertThat(rule.forbidden().lines(rule.example()))
                                .as(rule.example())
                                .isNotEmpty()));
    }

    @Test
    void commentsAndQuotesAreNotCode() {
        String text = "a(\"//b\\\"\", '\"', \"\"\"\nc\"\"\"); // d \"\n/* e\n \" */ f; '\\u0041' \"g\"";
        assertThat(Rule.code(text)).isEqualTo("a(, , \n); \n\n f;  ");
    }

    @Test
    void packagesKnowOnlyThoseBelowThem() {
        assertNone(files.stream().flatMap(file -> PackageOrder.complaints(file).stream()));
    }

    /** Whoever gives advice looks at requests from outside: no request may wait for him. */
    @ParameterizedTest
    @CsvSource({"key, item", "item, advice", "query, advice", "feed, advice", "partition, catalog"})
    void aPackageThatKnowsOneAboveItIsNoticed(String one, String above) {
        var text = "package dev.orrery.engine.%s;\nimport dev.orrery.engine.%s.Items;\n".formatted(one, above);
        var path = "engine/src/main/java/dev/orrery/engine/%s/A.java".formatted(one);
        assertThat(PackageOrder.complaints(new SourceFile(Path.of(""), path, text)))
                .singleElement()
                .asString()
                .contains("A.java:2: dev.orrery.engine." + one);
    }

    /** What may be said of one module only is no order; where there are several packages, it has to be said. */
    @Test
    void everyModuleWithSeveralPackagesHasTheirOrder() {
        var packages = files.stream()
                .filter(SourceFile::isMainJava)
                .collect(Collectors.groupingBy(
                        SourceFile::module, Collectors.mapping(PackageOrder::packageOf, Collectors.toSet())));
        assertNone(packages.entrySet().stream()
                .filter(module -> module.getValue().size() > 1 && !PackageOrder.isOf(module.getKey()))
                .map(module -> "%s: has %d packages; PackageOrder does not say who may know whom"
                        .formatted(module.getKey(), module.getValue().size())));
    }

    @Test
    void everyPackageSaysWithWhichClassToBegin() {
        var infos = files.stream()
                .filter(file -> file.isMainJava() && file.name().equals("package-info.java"))
                .collect(Collectors.toMap(PackageOrder::packageOf, SourceFile::text));
        assertNone(files.stream()
                .filter(SourceFile::isMainJava)
                .map(PackageOrder::packageOf)
                .distinct()
                .filter(name -> !infos.getOrDefault(name, "").matches("(?si).*\\bbegin\\s.*"))
                .map(name -> name + ": its package-info must say its duty and with which class to begin"));
    }

    /** Whoever reads a name must not have to ask which of many it is. */
    @Test
    void noNameIsGivenToMoreThanTwoClasses() {
        var byName = files.stream()
                .filter(file -> file.isJava() && !file.name().equals("package-info.java"))
                .collect(Collectors.groupingBy(SourceFile::name));
        assertNone(byName.values().stream()
                .filter(same -> same.size() > NAMESAKES_MAX)
                .map(same -> same.stream()
                        .map(SourceFile::path)
                        .collect(Collectors.joining(
                                ", ", "", ": too many classes of one name; share them, or rename"))));
    }

    @Test
    void noFileIsTooLongToReadAtOnce() {
        assertNone(files.stream()
                .filter(file -> file.path().matches(".*\\.(java|js|mjs|sh)|orrery"))
                .filter(file -> file.text().lines().count() > LINES_MAX)
                .map(file -> "%s: more than %d lines hold more than one idea".formatted(file.path(), LINES_MAX)));
    }

    /** Maven goes by name, so a test under another name would quietly never run. */
    @Test
    void everyTestHasANameThatMavenRuns() {
        Pattern test = Pattern.compile("@(Test|TestFactory|ParameterizedTest|RepeatedTest)\\b");
        assertNone(files.stream()
                .filter(SourceFile::isTestJava)
                .filter(file -> test.matcher(Rule.code(file.text())).find())
                .filter(file -> !file.name().matches(".*(Test|IT|Contract)\\.java"))
                .map(file -> file.path() + ": holds tests, but is not named *Test, *IT or *Contract"));
    }

    private static void assertNone(Stream<String> complaints) {
        String all = complaints.sorted().collect(Collectors.joining("\n"));
        if (!all.isEmpty()) {
            fail("\n" + all);
        }
    }
}
