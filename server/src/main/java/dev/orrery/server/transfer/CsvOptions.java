package dev.orrery.server.transfer;

import java.util.Set;

/**
 * How the fields of a table are read.
 *
 * @param allText whether every field is a string, whatever it looks like
 * @param textColumns names of the columns whose fields are strings
 */
public record CsvOptions(char delimiter, boolean allText, Set<String> textColumns) {
    public static final CsvOptions DEFAULT = new CsvOptions(',', false, Set.of());

    public CsvOptions {
        textColumns = Set.copyOf(textColumns);
    }
}
