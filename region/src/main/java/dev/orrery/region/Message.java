package dev.orrery.region;

import dev.orrery.engine.catalog.CatalogShipment;
import dev.orrery.engine.hub.Offer;
import dev.orrery.engine.hub.Settled;
import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What regions say to each other; each is a question or the answer to one. */
sealed interface Message {
    /** How far a copy of a range has come, and in which epoch. */
    record Position(long epoch, long lsn) {}

    /**
     * "What is new?" The positions are those that changed since the last question of the same session, or all.
     *
     * @param session chosen by the one who asks; a new one begins with all positions
     * @param waitMillis how long to wait for news when there are none
     */
    record Pull(
            long session,
            boolean isFirst,
            CatalogVersion catalog,
            Map<RangeId, Position> positions,
            List<RangeId> gone,
            int waitMillis)
            implements Message {}

    /**
     * What is new.
     *
     * @param stable the LSNs that all regions have which must have them, of ranges of which that has changed
     * @param isAll whether nothing else was new when it was gathered
     * @param isLeased whether the one who tells takes the writes, and no other can have taken over before it answered
     */
    record News(
            Optional<CatalogShipment> catalog,
            List<RangeNews> ranges,
            Map<RangeId, Long> stable,
            boolean isAll,
            boolean isLeased)
            implements Message {
        News leased(boolean leased) {
            return new News(catalog, ranges, stable, isAll, leased);
        }
    }

    /** "I do not know that session: tell me all positions." */
    record Unknown() implements Message {}

    /** "These were made here, and nobody else has them." */
    record Lost(List<LostChange> changes) implements Message {}

    /** "Who writes?" Every message carries the charter of its sender, so there is nothing to add. */
    record Greeting() implements Message {}

    /** "Move the writes to a region." */
    record Handover(String to) implements Message {}

    /** "Count a region in." What it is told by is that of a {@link Member}, whose number the write region chooses. */
    record Join(String name, String endpoint, String council, boolean isWitness) implements Message {}

    /** "Count a region out." */
    record Leave(String name) implements Message {}

    /** "Settle these." */
    record Offers(List<Offer> offers) implements Message {}

    /** What has become of what was offered. */
    record Settlements(List<Settled> settled) implements Message {}

    record Done() implements Message {}

    /**
     * "No."
     *
     * @param reason in words for people
     */
    record Refusal(String reason) implements Message {}
}
