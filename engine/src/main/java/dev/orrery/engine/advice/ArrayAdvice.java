package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import dev.orrery.model.Limits;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which arrays only ever grow, until an item is too large. */
final class ArrayAdvice {
    private static final int GROWN_MIN = 5;
    private static final int LONG = 20;
    private static final double GROWN_SHARE_MIN = 0.9;

    /** What is emptied again and again, such as a basket, loses all of it in a few changes. */
    private static final double REMOVED_SHARE_MAX = 0.5;

    /** What an item needs besides what is in the element that it replaces. */
    private static final int ITEM_BYTES = 300;

    private final Subject subject;

    ArrayAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return subject.seen().writes().growths().entrySet().stream()
                .filter(array -> isUnbounded(array.getValue()))
                .map(this::finding);
    }

    private static boolean isUnbounded(WriteNotes.Growth growth) {
        return growth.grown() >= GROWN_MIN
                && growth.longest() >= LONG
                && growth.grown() >= growth.changed() * GROWN_SHARE_MIN
                && growth.removed() <= growth.added() * REMOVED_SHARE_MAX;
    }

    private Finding finding(Map.Entry<String, WriteNotes.Growth> array) {
        var growth = array.getValue();
        long bytes = growth.addedBytes() / growth.added();
        double before = growth.charge() / growth.grown();
        double created = subject.prices()
                .bill(new Work().add(Effort.ITEM_CREATED, 1, bytes + ITEM_BYTES))
                .requestUnits();
        double after = before - growth.versionsCharge() / growth.grown() + created;
        return subject.finding(
                Kind.GROWING_ARRAY,
                "The array " + array.getKey() + " of items in " + subject.name() + " grows without bound",
                List.of(
                        "it was longer after " + Subject.count(growth.grown()) + " of "
                                + Subject.count(growth.changed())
                                + " changes that were looked at, by "
                                + Subject.decimal((double) growth.added() / growth.grown()) + " elements of about "
                                + Subject.count(bytes) + " bytes",
                        "the longest has " + Subject.count(growth.longest()) + " elements in an item of "
                                + Subject.count(growth.largestBytes()) + " bytes, of which at most "
                                + Subject.count(Limits.ITEM_BYTES_MAX) + " are allowed"
                                + (bytes == 0
                                        ? ""
                                        : ": reached with "
                                                + Subject.count((Limits.ITEM_BYTES_MAX - growth.largestBytes()) / bytes)
                                                + " more")),
                "Make each element, or page of them, an item of its own "
                        + (subject.isRouted("/id")
                                ? "in a container where several items can share a partition key"
                                : "with the same " + subject.partitionKey())
                        + ": every addition now reads and writes all that was added before. To keep the last few in"
                        + " the item as well is another write.",
                new Charge("addition", subject.seen().writes().ofAll(growth.grown()), before, after));
    }
}
