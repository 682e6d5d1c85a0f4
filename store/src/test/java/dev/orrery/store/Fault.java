package dev.orrery.store;

/** What happens to one commit in a {@link FaultyStore}. */
public sealed interface Fault {

    /** Nothing: the commit is done as always. */
    record None() implements Fault {}

    /** A {@link StoreException}, thrown before the commit is applied or after. */
    record Fail(boolean applied) implements Fault {}

    /** The same, and the store takes no more writes until {@link FaultyStore#heal}. */
    record Break(boolean applied) implements Fault {}

    /**
     * The outcome is {@link CommitResult#UNKNOWN}, whether applied or not.
     *
     * @param emptyAnswers how often {@link PartitionStore#resolve} cannot tell yet
     */
    record Unknown(boolean applied, int emptyAnswers) implements Fault {}

    /** The commit is {@link CommitResult#FENCED}, as if another owner had come. */
    record Fence() implements Fault {}

    /** Something is done first, such as waiting for a latch; then goes on as told. */
    record Pause(Runnable pause, Fault then) implements Fault {}
}
