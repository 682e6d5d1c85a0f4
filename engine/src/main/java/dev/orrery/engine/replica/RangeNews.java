package dev.orrery.engine.replica;

import dev.orrery.engine.feed.Shipment;
import dev.orrery.engine.key.Epochs;

/**
 * What one copy of a range tells another.
 *
 * @param epochs of the copy that tells
 * @param lsn that it has come to
 * @param forgottenLsn up to there its log has only the latest version of each item
 * @param forgottenSecond the latest time of a change up to there
 * @param shipment the changes behind the other's place; none when {@code fork} says that they have parted
 * @param fork the last LSN that both have, where the other has gone on by itself; else {@link Long#MAX_VALUE}
 */
public record RangeNews(
        RangeId range, Epochs epochs, long lsn, long forgottenLsn, long forgottenSecond, Shipment shipment, long fork) {
    public boolean isParted() {
        return fork != Long.MAX_VALUE;
    }
}
