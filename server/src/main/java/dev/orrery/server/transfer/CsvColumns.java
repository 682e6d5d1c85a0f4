package dev.orrery.server.transfer;

import dev.orrery.model.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The columns of a table, and how a row of it becomes an item: {@code address.city} is a property of a property. */
final class CsvColumns {
    /** What stands between two delimiters; quotes around it say that it is text. */
    record Field(String text, boolean quoted) {}

    /** A row, or the header itself, does not make an item. */
    static final class RowMismatchException extends Exception {
        private static final long serialVersionUID = 1L;

        RowMismatchException(String message) {
            super(message, null, false, false);
        }
    }

    private static final int NONE = -1;

    /** A property; it may have a column, and others below it may have some. */
    private static final class Node {
        private final String path;
        private final Map<String, Node> below = new LinkedHashMap<>();
        private int column = NONE;
        private boolean text;

        Node(String path) {
            this.path = path;
        }
    }

    private final Node root = new Node("");
    private final int count;
    private final JsonWriter out = new JsonWriter();

    private CsvColumns(int count) {
        this.count = count;
    }

    static CsvColumns of(List<String> names, CsvOptions options) throws RowMismatchException {
        var columns = new CsvColumns(names.size());
        for (int column = 0; column < names.size(); column++) {
            columns.add(names.get(column), column, options);
        }
        for (var name : options.textColumns()) {
            if (!names.contains(name)) {
                throw new RowMismatchException("There is no column '" + name + "' to be kept as text.");
            }
        }
        return columns;
    }

    private void add(String name, int column, CsvOptions options) throws RowMismatchException {
        var node = root;
        for (var part : PropertyName.parts(name)) {
            if (part.isEmpty()) {
                throw new RowMismatchException("Column " + (column + 1) + " has no proper name: '" + name + "'.");
            }
            var path = node == root ? part : node.path + "." + part;
            node = node.below.computeIfAbsent(part, _ -> new Node(path));
        }
        if (node.column != NONE) {
            throw new RowMismatchException("There are two columns '" + name + "'.");
        }
        node.column = column;
        // An id is a string, also when it is made of digits.
        node.text = options.allText() || options.textColumns().contains(name) || name.equals("id");
    }

    byte[] item(List<Field> row) throws RowMismatchException {
        if (row.size() != count) {
            throw new RowMismatchException(
                    "The row has " + row.size() + " fields, but there are " + count + " columns.");
        }
        out.reset();
        object(root, row);
        return out.toBytes();
    }

    private void object(Node node, List<Field> row) throws RowMismatchException {
        var separator = "{";
        for (var property : node.below.entrySet()) {
            var child = property.getValue();
            if (isPresent(child, row)) {
                out.raw(separator).name(property.getKey());
                value(child, row);
                separator = ",";
            }
        }
        out.raw(separator.equals("{") ? "{}" : "}");
    }

    private void value(Node node, List<Field> row) throws RowMismatchException {
        boolean inside = node.below.values().stream().anyMatch(child -> isPresent(child, row));
        boolean own = hasField(node, row);
        if (own && inside) {
            throw new RowMismatchException(
                    "'" + node.path + "' has a value of its own and properties as well; one of them must be empty.");
        }
        if (inside) {
            object(node, row);
            return;
        }
        var field = row.get(node.column);
        if (node.text) {
            out.string(field.text());
        } else {
            FieldType.write(field, out);
        }
    }

    private static boolean isPresent(Node node, List<Field> row) {
        return hasField(node, row) || node.below.values().stream().anyMatch(child -> isPresent(child, row));
    }

    /** An empty field is a property that is not there; an empty string is written in quotes. */
    private static boolean hasField(Node node, List<Field> row) {
        if (node.column == NONE) {
            return false;
        }
        var field = row.get(node.column);
        return field.quoted() || !field.text().isEmpty();
    }
}
