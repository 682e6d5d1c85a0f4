package dev.orrery.engine.item;

import java.util.Optional;

/**
 * What the hub of regions that all write has said of a write.
 *
 * @param conflict what kind of conflict it was; none where there was none
 */
public record Ruling(Verdict verdict, Optional<Kind> conflict) {

    /** What has become of a write. */
    public enum Verdict {
        /** It was settled before. */
        KNOWN,
        /** It was made on the version that was here. */
        ACCEPTED,
        /** It was a patch, and was done again on the version that was here. */
        PATCHED,
        /** It has won, by a rule that names the loser. */
        WON,
        /** It has lost, by such a rule. */
        LOST,
        /** No rule settles it: that is for the merge procedure of its container, or for people. */
        OPEN,
        /** The merge procedure of its container has settled it. */
        MERGED,
        /** It is kept for people, and the version that is here stays. */
        KEPT
    }

    /** In what two writes of different regions are at odds. */
    public enum Kind {
        /** Both created the item. */
        CREATE,
        /** The item was changed since the version that was replaced. */
        REPLACE,
        /** One of them deleted the item. */
        DELETE,
        /** The item was changed since the version that was patched. */
        PATCH,
        /** Another item has the same values in a unique key. */
        UNIQUE_KEY;

        Ruling ruled(Verdict verdict) {
            return new Ruling(verdict, Optional.of(this));
        }
    }

    /** It cannot be stored where it would have to be, though nobody is in its way. */
    public static final Ruling REFUSED = of(Verdict.KEPT);

    static Ruling of(Verdict verdict) {
        return new Ruling(verdict, Optional.empty());
    }

    /** What has become of it in the end, after no rule has settled it. */
    public Ruling as(Verdict last) {
        return new Ruling(last, conflict);
    }
}
