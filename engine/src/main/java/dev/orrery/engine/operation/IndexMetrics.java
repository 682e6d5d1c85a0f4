package dev.orrery.engine.operation;

import java.util.List;

/** The indexes that serve a query, and those that would if the container had them. */
public record IndexMetrics(Indexes utilized, Indexes potential) {

    public record Indexes(List<Single> single, List<Composite> composite) {
        public Indexes {
            single = List.copyOf(single);
            composite = List.copyOf(composite);
        }
    }

    /**
     * An index of the values at one path.
     *
     * @param path as an indexing policy spells it, {@code /name/?}
     */
    public record Single(String path, Impact impact) {}

    /**
     * An index of the values at several paths together.
     *
     * @param parts each a path and its order, {@code /name ASC}
     * @param sorting whether it gives the order that the query wants
     */
    public record Composite(List<String> parts, boolean sorting, Impact impact) {
        public Composite {
            parts = List.copyOf(parts);
        }
    }

    /** How much an index does for a query, as far as its text tells. */
    public enum Impact {
        HIGH,
        LOW
    }
}
