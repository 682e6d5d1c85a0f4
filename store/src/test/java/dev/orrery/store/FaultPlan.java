package dev.orrery.store;

import java.util.ArrayDeque;
import java.util.List;
import java.util.random.RandomGenerator;

/** Decides what happens to each commit; asked for one commit at a time. */
@FunctionalInterface
public interface FaultPlan {

    Fault next(PartitionId partition, Commit commit);

    /** These faults, one for each commit as they come; none any more at the end. */
    static FaultPlan script(Fault... faults) {
        var left = new ArrayDeque<>(List.of(faults));
        return (partition, commit) -> left.isEmpty() ? new Fault.None() : left.removeFirst();
    }

    /** One of these faults at random, for so many commits of a hundred. */
    static FaultPlan random(RandomGenerator random, int percent, Fault... faults) {
        return (partition, commit) ->
                random.nextInt(100) < percent ? faults[random.nextInt(faults.length)] : new Fault.None();
    }

    /** Only the commits of one partition. */
    default FaultPlan onlyIn(PartitionId wanted) {
        return (partition, commit) -> partition.equals(wanted) ? next(partition, commit) : new Fault.None();
    }
}
