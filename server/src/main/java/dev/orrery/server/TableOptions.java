package dev.orrery.server;

import java.util.Map;
import picocli.CommandLine.Option;

/** How CSV is written, in both directions. */
final class TableOptions {
    private static final Map<String, Character> NAMED = Map.of("tab", '\t', "\\t", '\t');

    @Option(
            names = "--csv-delimiter",
            paramLabel = "C",
            defaultValue = ",",
            description = "What stands between the fields of CSV: one character, or tab (default: a comma).")
    private String delimiter;

    char delimiter() {
        if (NAMED.containsKey(delimiter)) {
            return NAMED.get(delimiter);
        }
        if (delimiter.length() != 1 || "\"\r\n".contains(delimiter) || delimiter.charAt(0) >= 0x80) {
            throw new UserError("--csv-delimiter is one ASCII character such as ; or the word tab.");
        }
        return delimiter.charAt(0);
    }
}
