package dev.orrery.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import dev.orrery.tidy.SourceTree.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * All Java code has one format, so that no review is about blanks.
 *
 * <p>A test and not a Maven plugin: plugins run on the JVM of Maven, whose javac may be too old to parse our source.
 */
final class FormatTest {
    private static final boolean APPLY = Boolean.getBoolean("format.apply");

    private final Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(false)
            .build());

    @Test
    void everyJavaFileIsFormatted() {
        List<String> complaints = SourceTree.read().parallelStream()
                .filter(SourceFile::isJava)
                .flatMap(file -> complaint(file).stream())
                .sorted()
                .toList();
        assertThat(complaints)
                .as("run `mvn -q -pl tidy test -Dformat.apply=true` to format")
                .isEmpty();
    }

    @Test
    void aBadlyFormattedFileIsNoticed() throws FormatterException {
        assertThat(formatter.formatSourceAndFixImports("class  A{}")).isEqualTo("class A {}\n");
    }

    private Optional<String> complaint(SourceFile file) {
        try {
            String formatted = formatter.formatSourceAndFixImports(file.text());
            if (formatted.equals(file.text())) {
                return Optional.empty();
            }
            if (APPLY) {
                Files.writeString(file.location(), formatted);
                return Optional.empty();
            }
            return Optional.of(file.path() + ":" + firstDifferentLine(file.text(), formatted) + " is not formatted");
        } catch (FormatterException failure) {
            return Optional.of(file.path() + " cannot be parsed by the formatter: " + failure.getMessage());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static int firstDifferentLine(String actual, String wanted) {
        List<String> actualLines = actual.lines().toList();
        List<String> wantedLines = wanted.lines().toList();
        int line = 0;
        while (line < actualLines.size()
                && line < wantedLines.size()
                && actualLines.get(line).equals(wantedLines.get(line))) {
            line++;
        }
        return line + 1;
    }
}
