package dev.orrery.engine.budget;

/** What a request can cost: each kind of work that is counted, with how to have less of it. */
public enum Effort {
    METADATA(
            "metadata",
            Nature.OTHER,
            "Keep clients and what they know of databases and containers, instead of asking again."),
    ITEM_READ(
            "itemsRead",
            Nature.READ,
            "Keep items small, and split off what is seldom read; a condition on the etag spares one that has not"
                    + " changed."),
    ITEM_CREATED("itemsCreated", Nature.WRITE, "Keep items small, and leave out what nobody reads."),
    /** Both the old version and the new one. */
    VERSIONS_REPLACED(
            "versionsReplaced",
            Nature.WRITE,
            "Split off what changes often into a small item of its own, and do not write what has not changed."),
    ITEM_DELETED("itemsDeleted", Nature.WRITE, "Let a time to live end items instead of deleting them."),
    TERMS_WRITTEN(
            "termsWritten", Nature.WRITE, "Exclude paths from the indexing policy that no query filters or sorts by."),
    TERMS_REMOVED(
            "termsRemoved", Nature.WRITE, "Exclude paths that change often and that no query filters or sorts by."),
    PATCH_STEPS("patchSteps", Nature.WRITE, "Set a whole object in one step."),
    RANGES_PROBED(
            "partitionsAsked",
            Nature.READ,
            "Name the partition key in the query, or keep a copy under the key that is asked for."),
    INDEX_KEYS(
            "indexKeysRead",
            Nature.READ,
            "Let the condition that fits the fewest items be one that an index serves; add a composite index."),
    ITEMS_LOADED(
            "itemsLoaded",
            Nature.READ,
            "Have an index find what a filter leaves out, and ask for no more rows than are shown."),
    RESULT("result", Nature.READ, "Select the properties that are needed instead of whole items."),
    AGGREGATES("aggregates", Nature.READ, "Keep counts and sums with the items that they are about."),
    SCRIPT_CALLS("scriptCalls", Nature.OTHER, "Do more in one call: a call costs the same however much it does."),
    CONSISTENCY(
            "strongerReads",
            Nature.OTHER,
            "Ask for session consistency where the newest data of others is not needed.");

    /** Whether a stronger consistency level makes it dearer. */
    enum Nature {
        READ,
        WRITE,
        OTHER
    }

    private final String label;
    private final Nature nature;
    private final String advice;

    Effort(String label, Nature nature, String advice) {
        this.label = label;
        this.nature = nature;
        this.advice = advice;
    }

    /** As bills and price lists name it. */
    public String label() {
        return label;
    }

    Nature nature() {
        return nature;
    }

    public String advice() {
        return advice;
    }
}
