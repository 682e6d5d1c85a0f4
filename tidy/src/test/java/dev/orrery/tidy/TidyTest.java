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

/** Keeps the layers apart and the tree clean by reading every source file. */
final class TidyTest {
    private static final int LINES_MAX = 700;

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

    @Test
    void aPackageThatKnowsOneAboveItIsNoticed() {
        var text = "package dev.orrery.engine.key;\nimport dev.orrery.engine.item.Items;\n";
        var file = new SourceFile(Path.of(""), "engine/src/main/java/dev/orrery/engine/key/A.java", text);
        assertThat(PackageOrder.complaints(file))
                .singleElement()
                .asString()
                .contains("A.java:2: dev.orrery.engine.key");
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
