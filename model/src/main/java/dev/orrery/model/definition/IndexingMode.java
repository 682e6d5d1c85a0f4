package dev.orrery.model.definition;

/** When writes reach the index. */
public enum IndexingMode implements Spelled {
    CONSISTENT("consistent"),
    /** The container is a plain key-value store. */
    NONE("none");

    /** A word of the past for a container that is indexed with every write all the same. */
    private static final String LAZY = "lazy";

    private final String spelling;

    IndexingMode(String spelling) {
        this.spelling = spelling;
    }

    static IndexingMode read(MemberReader json, String member) {
        return json.text(member)
                .filter(text -> !text.equalsIgnoreCase(LAZY))
                .map(text -> MemberReader.choose(json.place(member), text, IndexingMode.class))
                .orElse(CONSISTENT);
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
