package dev.orrery.model.definition;

/** When writes reach the index. */
public enum IndexingMode implements Spelled {
    CONSISTENT("consistent"),
    /** The container is a plain key-value store. */
    NONE("none"),
    /** A word of the past: such a container is indexed with every write all the same. */
    LAZY("lazy");

    private final String spelling;

    IndexingMode(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
