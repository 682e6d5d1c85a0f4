package dev.orrery.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The code on the pages about scripts is code that a test runs: each block names a file, or a part of a file between
 * {@code docs: name} and {@code end of docs}, and prints it as it stands there.
 */
final class PrintedCodeTest {
    private static final boolean APPLY = Boolean.getBoolean("docs.apply");
    private static final Path ROOT = Path.of("..");
    private static final Path PAGES = ROOT.resolve("docs/scripts");

    private static final Pattern BLOCK = Pattern.compile(
            "(?:<!-- code: (?<file>\\S+)(?: (?<part>\\S+))? -->\n)?```(?:java|js)\n(?<code>.*?)```\n", Pattern.DOTALL);

    @Test
    void everyBlockPrintsWhatATestRuns() throws IOException {
        var complaints = new ArrayList<String>();
        int blocks = 0;
        for (var page : pages()) {
            var text = Files.readString(page);
            for (var block : BLOCK.matcher(text).results().toList()) {
                blocks++;
                if (block.group("file") == null) {
                    complaints.add(page + ": a block does not say where its code is from:\n" + block.group("code"));
                } else if (!source(block).equals(block.group("code"))) {
                    complaints.add(page + ": " + block.group("file") + " says something else");
                }
            }
            if (APPLY) {
                Files.writeString(page, BLOCK.matcher(text).replaceAll(PrintedCodeTest::printed));
            }
        }
        assertThat(blocks).isGreaterThan(10);
        assertThat(APPLY ? List.of() : complaints)
                .as("run `mvn -q -pl tidy test -Ddocs.apply=true` to print the code anew")
                .isEmpty();
    }

    @Test
    void aPartOfAFileIsPrintedWithoutItsIndentation() {
        assertThat(part("a\n  // docs: x\n  if (b) {\n    c\n\n  }\n  // end of docs\nd\n", "x"))
                .isEqualTo("if (b) {\n  c\n\n}\n");
    }

    private static List<Path> pages() throws IOException {
        try (var files = Files.list(PAGES)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static String printed(MatchResult block) {
        var text = block.group();
        return Matcher.quoteReplacement(
                block.group("file") == null
                        ? text
                        : text.substring(0, text.length() - block.group("code").length() - 4) + source(block)
                                + "```\n");
    }

    private static String source(MatchResult block) {
        try {
            var text = Files.readString(ROOT.resolve(block.group("file")));
            return block.group("part") == null ? text : part(text, block.group("part"));
        } catch (IOException missing) {
            throw new AssertionError("there is no file " + block.group("file"), missing);
        }
    }

    private static String part(String text, String name) {
        var lines = text.lines()
                .dropWhile(line -> !line.strip().equals("// docs: " + name))
                .skip(1)
                .takeWhile(line -> !line.strip().equals("// end of docs"))
                .toList();
        assertThat(lines).as("part " + name).isNotEmpty();
        int indentation = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        return lines.stream()
                .map(line -> line.isBlank() ? "" : line.substring(indentation))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
