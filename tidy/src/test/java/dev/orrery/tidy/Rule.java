package dev.orrery.tidy;

import dev.orrery.tidy.SourceTree.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Something that no line of certain files may contain.
 *
 * @param against what a complaint calls it
 * @param where the files it speaks about
 * @param forbidden what must not be found there
 * @param example a line that breaks the rule; a test proves that it is caught
 * @param instead what to do about it
 */
record Rule(String against, Predicate<SourceFile> where, Forbidden forbidden, String example, String instead) {

    /** What to look for: in all of a text, or only in its code, so that comments and quoted text may say it. */
    record Forbidden(Pattern pattern, boolean onlyInCode) {
        List<Integer> lines(String text) {
            List<String> lines = (onlyInCode ? code(text) : text).lines().toList();
            return IntStream.range(0, lines.size())
                    .filter(line -> pattern.matcher(lines.get(line)).find())
                    .boxed()
                    .toList();
        }
    }

    /** In the order in which a compiler would meet them: text block, string, character, comments. */
    private static final Pattern NOT_CODE = Pattern.compile("""
        \"""(?s:.*?)\"""\
        |"[^"\\\\\\n]*+(?:\\\\.[^"\\\\\\n]*+)*+"\
        |'(?:\\\\.[^']*|[^'\\\\\\n])'\
        |/\\*(?s:.*?)\\*/\
        |//[^\\n]*\
        """);

    /** Any of these regular expressions, wherever it stands. */
    static Forbidden inText(String... anyOf) {
        return new Forbidden(Pattern.compile(String.join("|", anyOf)), false);
    }

    /** Any of these regular expressions outside comments and quotes. */
    static Forbidden inCode(String... anyOf) {
        return new Forbidden(Pattern.compile(String.join("|", anyOf)), true);
    }

    /** Every broken line as {@code file:line: what stands there, and what to do instead}. */
    List<String> complaints(SourceFile file) {
        if (!where.test(file)) {
            return List.of();
        }
        List<String> lines = file.text().lines().toList();
        var complaints = new ArrayList<String>();
        for (int line : forbidden.lines(file.text())) {
            complaints.add("%s:%d: %s: `%s`%n    %s"
                    .formatted(file.path(), line + 1, against, lines.get(line).strip(), instead));
        }
        return complaints;
    }

    /** Leaves the line numbers as they were. */
    static String code(String text) {
        return NOT_CODE.matcher(text).replaceAll(found -> found.group().replaceAll("[^\\n]", ""));
    }
}
