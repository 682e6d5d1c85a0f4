package dev.orrery.example.modeling;

import java.util.Locale;

/** The eight patterns. */
public enum Pattern {
    EMBED("Embed what belongs together"),
    UNBOUNDED("Do not embed what grows without bound"),
    SHARED("Do not embed what many share and what changes often"),
    WEAK_LINKS("References are weak links"),
    RELATIONSHIP("Where the relationship is kept"),
    MANY_TO_MANY("Many to many"),
    HYBRID("Embed a little, refer to the rest"),
    SEVERAL_TYPES("Several types in one container");

    private final String title;

    Pattern(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** As people write it: {@code many-to-many}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Does everything both ways, in containers that it makes. */
    public TradeOff measure(Workbench bench) {
        return switch (this) {
            case EMBED -> Embedding.measure(bench);
            case UNBOUNDED -> UnboundedArray.measure(bench);
            case SHARED -> SharedData.measure(bench);
            case WEAK_LINKS -> WeakLinks.measure(bench);
            case RELATIONSHIP -> RelationshipSide.measure(bench);
            case MANY_TO_MANY -> ManyToMany.measure(bench);
            case HYBRID -> Hybrid.measure(bench);
            case SEVERAL_TYPES -> SeveralTypes.measure(bench);
        };
    }
}
