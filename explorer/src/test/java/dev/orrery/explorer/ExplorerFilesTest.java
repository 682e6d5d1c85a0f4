package dev.orrery.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplorerFilesTest {
    private static final Path PAGE = Path.of("src/main/resources/dev/orrery/explorer/page");
    private static final Pattern REFERENCE = Pattern.compile("(?:from |import\\(?|src=|href=)\"(\\./)?([\\w./-]+)\"");
    private static final Pattern LIBRARY = Pattern.compile("\"(lib/[\\w./-]+)\"");

    @Test
    void theEmptyPathIsThePage() {
        var page = ExplorerFiles.find("").orElseThrow();
        assertThat(page.contentType()).startsWith("text/html");
        assertThat(new String(page.content(), StandardCharsets.UTF_8)).contains("<title>");
        assertThat(page.lasting()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../ExplorerFiles.class",
                "..",
                "/etc/passwd",
                "lib/../../../../dev/orrery/explorer/page/index.html",
                "lib//codemirror",
                "lib/",
                "none.js",
                "ExplorerFiles.class",
                ".hidden.js",
                "a\\b.js"
            })
    void nothingElseIsFound(String path) {
        assertThat(ExplorerFiles.find(path)).isEmpty();
    }

    @Test
    void whateverOneFileNamesIsThere() {
        for (var file : files()) {
            var references = REFERENCE.matcher(read(file));
            while (references.find()) {
                assertThat(ExplorerFiles.find(references.group(2)))
                        .as("%s names %s", file, references.group(2))
                        .isPresent();
            }
            var libraries = LIBRARY.matcher(read(file));
            while (libraries.find()) {
                var found = ExplorerFiles.find(libraries.group(1));
                assertThat(found).as("%s names %s", file, libraries.group(1)).isPresent();
                assertThat(found.orElseThrow().lasting()).isTrue();
            }
        }
    }

    @Test
    void noFileHasScriptOrStyleInItsText() {
        var page = read(PAGE.resolve("index.html"));
        assertThat(page).doesNotContain("<style").doesNotContain(" style=").doesNotContainPattern(" on[a-z]+=");
        assertThat(page).doesNotContainPattern("<script(?![^>]* src=)");
        for (var file : files()) {
            assertThat(read(file)).as("%s", file).doesNotContain("innerHTML").doesNotContain("eval(");
        }
    }

    @Test
    void noFileNamesAnotherHost() {
        for (var file : files()) {
            assertThat(read(file)).as("%s", file).doesNotContainPattern("https?://(?!www\\.w3\\.org/)");
        }
    }

    private static List<Path> files() {
        try (var all = Files.list(PAGE)) {
            return all.toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
