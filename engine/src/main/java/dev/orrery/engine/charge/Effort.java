package dev.orrery.engine.charge;

/** What a request can cost: each kind of work that is counted. */
public enum Effort {
    METADATA("metadata", Nature.OTHER),
    ITEM_READ("itemsRead", Nature.READ),
    ITEM_CREATED("itemsCreated", Nature.WRITE),
    /** Both the old version and the new one. */
    VERSIONS_REPLACED("versionsReplaced", Nature.WRITE),
    ITEM_DELETED("itemsDeleted", Nature.WRITE),
    TERMS_WRITTEN("termsWritten", Nature.WRITE),
    TERMS_REMOVED("termsRemoved", Nature.WRITE),
    PATCH_STEPS("patchSteps", Nature.WRITE),
    RANGES_PROBED("partitionsAsked", Nature.READ),
    INDEX_KEYS("indexKeysRead", Nature.READ),
    ITEMS_LOADED("itemsLoaded", Nature.READ),
    RESULT("result", Nature.READ),
    AGGREGATES("aggregates", Nature.READ),
    SCRIPT_CALLS("scriptCalls", Nature.OTHER),
    CONSISTENCY("strongerReads", Nature.OTHER);

    /** Whether a stronger consistency level makes it dearer. */
    public enum Nature {
        READ,
        WRITE,
        OTHER
    }

    private final String label;
    private final Nature nature;

    Effort(String label, Nature nature) {
        this.label = label;
        this.nature = nature;
    }

    /** As bills and price lists name it. */
    public String label() {
        return label;
    }

    public Nature nature() {
        return nature;
    }
}
