package dev.orrery.server;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.server.TextTable.Column;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Rows as a table: a column for each property, numbers to the right, and a blank where a row has no such property. */
final class RowTable {
    /** Rows that are not objects have one value and no name for it. */
    private static final String VALUE = "value";

    private static final int COLUMN_MIN = 4;

    /** What the database adds to every item; people rarely want to see it. */
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("_rid", "_self", "_etag", "_attachments", "_ts");

    private final List<JsonValue> rows;
    private final List<String> columns;

    RowTable(List<JsonValue> rows) {
        this.rows = List.copyOf(rows);
        var names = new LinkedHashSet<String>();
        for (var row : rows) {
            if (row instanceof Obj object) {
                var members = new LinkedHashSet<>(object.members().keySet());
                // Whole items have all of them; who has asked for one by name is shown it.
                if (members.containsAll(SYSTEM_PROPERTIES)) {
                    members.removeAll(SYSTEM_PROPERTIES);
                }
                names.addAll(members);
            } else {
                names.add(VALUE);
            }
        }
        this.columns = List.copyOf(names);
    }

    /** The lines of the table, none wider than the given number of columns of a terminal if that can be. */
    List<String> lines(int widthMax) {
        if (columns.isEmpty()) {
            return List.of(); // No rows, or only empty objects.
        }
        var plain = new HashSet<String>();
        columns.stream().filter(this::hasOnlyStrings).forEach(plain::add);
        var headings = columns.stream()
                .map(column -> new Column(column, isNumeric(column), COLUMN_MIN))
                .toList();
        var cells = rows.stream().map(row -> cells(row, plain)).toList();
        return new TextTable(headings, cells).lines(widthMax);
    }

    private List<String> cells(JsonValue row, Set<String> plain) {
        return columns.stream()
                .map(column -> text(cell(row, column), plain.contains(column)))
                .toList();
    }

    private static JsonValue cell(JsonValue row, String column) {
        if (row instanceof Obj object) {
            return object.member(column);
        }
        return column.equals(VALUE) ? row : JsonValue.UNDEFINED;
    }

    private boolean isNumeric(String column) {
        return rows.stream()
                .map(row -> cell(row, column))
                .allMatch(value -> value instanceof Num || value.isUndefined() || value.equals(JsonValue.NULL));
    }

    private boolean hasOnlyStrings(String column) {
        return rows.stream()
                .map(row -> cell(row, column))
                .allMatch(value -> value instanceof Str || value.isUndefined());
    }

    /** Strings without quotes, unless they could be taken for something else that the column holds. */
    private static String text(JsonValue value, boolean amongStrings) {
        if (value.isUndefined()) {
            return "";
        }
        return value instanceof Str(var text) && (amongStrings || !looksLikeJson(text))
                ? shown(text)
                : CompactJson.text(value);
    }

    /** A text as it is, or as JSON when a terminal would not show all of it. */
    static String shown(String text) {
        var json = CompactJson.text(new Str(text));
        return isShownAsItIs(text, json) ? text : json;
    }

    private static boolean isShownAsItIs(String text, String json) {
        boolean needsNoEscapes = json.length() == text.length() + 2;
        return needsNoEscapes && !text.isEmpty() && text.strip().equals(text);
    }

    private static boolean looksLikeJson(String text) {
        try {
            JsonReader.parse(text);
            return true;
        } catch (FailureException _) {
            return false;
        }
    }
}
